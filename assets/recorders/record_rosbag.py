"""A bag of ROS 2 or an .mcap, by the package rosbags: python3 record_rosbag.py BAG TOPIC BODY RUN.csv

TOPIC holds nav_msgs/Odometry or geometry_msgs/PoseStamped. One file a body, as topics have times
of their own: give each as --foreign. Times begin with 0.
"""

import csv
import sys
from pathlib import Path

from rosbags.highlevel import AnyReader


def record(bag, topic, body, path):
    with AnyReader([Path(bag)]) as reader, open(path, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow("time_s body px_m py_m pz_m qw qx qy qz".split())
        wanted = [c for c in reader.connections if c.topic == topic]
        begin = None
        for connection, stamp, raw in reader.messages(connections=wanted):
            begin = stamp if begin is None else begin
            pose = reader.deserialize(raw, connection.msgtype).pose
            pose = getattr(pose, "pose", pose)  # of Odometry: with covariance
            at, turn = pose.position, pose.orientation
            table.writerow(
                [(stamp - begin) * 1e-9, body, at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z]
            )


if __name__ == "__main__":
    record(*sys.argv[1:5])
