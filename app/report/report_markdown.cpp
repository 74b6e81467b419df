#include <fmt/format.h>

#include <algorithm>

#include "app/report/report_words.h"

namespace slip::app {
namespace {

/// A user's text: what stands between backticks is shown as it is, elsewhere no tag begins and no
/// picture's title ends.
std::string MarkdownText(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == '`' ? text.find('`', at + 1) : std::string::npos;
    if (end != std::string::npos) {
      out += text.substr(at, end + 1 - at);
      at = end;
    } else if (text[at] == '<') {
      out += "&lt;";
    } else if (text[at] == '[' || text[at] == ']') {
      out += std::string("\\") + text[at];
    } else {
      out += text[at];
    }
  }
  return out;
}

/// In a cell of a table.
std::string MarkdownCell(const std::string& given) {
  std::string text = MarkdownText(given);
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string TableMarkdown(const ReportTable& table) {
  std::string text = MarkdownText(table.title) + ":\n\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (const std::string& cell : table.rows[r]) text += "| " + MarkdownCell(cell) + " ";
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t i = 0; i < table.rows[0].size(); ++i) text += "|---:";
    text += "|\n";
  }
  return text + "\n";
}

std::string StudyText(const StudyReport& report) {
  const Study& study = *report.study;
  std::string text = fmt::format("## {}\n\n`{}`", MarkdownText(study.title), study.id);
  if (!study.source.empty()) text += ", " + MarkdownText(study.source);
  text += fmt::format(". {}.\n\n", CountText(CountAnswers(report)));
  if (!study.shows.empty()) text += fmt::format("*{}*\n\n", MarkdownText(study.shows));
  for (const Figure& figure : report.figures)
    text += fmt::format("![{}]({})\n\n", MarkdownText(figure.title), FigurePath(study, figure.id));
  for (const ReportPicture& picture : report.pictures)
    text +=
        fmt::format("![{}]({})\n\n", MarkdownText(picture.title), PicturePath(study, picture.id));
  for (const ReportTable& table : report.tables) text += TableMarkdown(table);
  text += MarkdownText(study.story) + "\n\n";
  if (report.verdicts.empty()) return text;
  text += "| from | statement | measured | expected | verdict |\n|---|---|---:|---:|---|\n";
  for (const StudyVerdict& verdict : report.verdicts) {
    const VerdictWords words = WordsOf(verdict);
    const std::string& why = verdict.note.empty() ? verdict.of->known : verdict.note;
    text += fmt::format("| {} | {} | {} | {} | {}{} |\n",
                        kStudyMarks[static_cast<std::size_t>(verdict.of->mark)],
                        MarkdownCell(verdict.of->text), words.measured, words.expected,
                        Name(verdict.answer), why.empty() ? "" : ": " + MarkdownCell(why));
  }
  return text + "\n";
}

}  // namespace

std::string ReportMarkdown(std::span<const StudyReport> reports, const ReportContext& context) {
  std::string text =
      fmt::format("# Studies\n\n{}. Slipscope {}, `{}`.\n\n", CountText(CountAnswers(reports)),
                  context.version, context.command_line);
  text += "| study | source | statements |\n|---|---|---|\n";
  for (const StudyReport& report : reports)
    text += fmt::format("| {} | {} | {} |\n", MarkdownCell(report.study->title),
                        MarkdownCell(report.study->source), CountText(CountAnswers(report)));
  text += "\n";
  for (const StudyReport& report : reports) text += StudyText(report);
  return text;
}

}  // namespace slip::app
