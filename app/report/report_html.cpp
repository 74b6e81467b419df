#include <fmt/format.h>

#include <algorithm>

#include "app/kit/rich_runs.h"
#include "app/plots/svg_text.h"
#include "app/report/report_words.h"

namespace slip::app {
namespace {

constexpr const char* kStyle = R"css(
body { margin: 0; background: var(--app); color: var(--ink); font: 15px/1.55 Inter, Helvetica, Arial, sans-serif; }
main { max-width: 880px; margin: 0 auto; padding: 40px 28px 80px; }
h1 { font-size: 26px; font-weight: 600; margin: 0 0 4px; }
h2 { font-size: 19px; font-weight: 600; margin: 0 0 2px; }
h3 { font-size: 13px; font-weight: 600; color: var(--ink2); margin: 22px 0 4px; }
a { color: inherit; text-decoration: none; } a:hover { text-decoration: underline; }
.meta { color: var(--ink2); font-size: 13px; margin: 0 0 14px; }
code, .number { font-family: "JetBrains Mono", "DejaVu Sans Mono", monospace; font-size: 12.5px; }
article { background: var(--ground); border: 1px solid var(--grid); border-radius: 6px; padding: 24px 28px; margin: 28px 0; }
article > p { max-width: 72ch; }
.shows { color: var(--ink2); font-style: italic; }
figure { margin: 18px 0; overflow-x: auto; } figure svg, figure img { width: 100%; height: auto; max-width: 760px; display: block; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { text-align: left; font-weight: 500; color: var(--ink2); font-size: 12.5px; border-bottom: 1px solid var(--frame); padding: 4px 10px 4px 0; }
td { padding: 6px 10px 6px 0; border-bottom: 1px solid var(--grid); vertical-align: top; }
td:last-child, th:last-child { padding-right: 0; }
.right { text-align: right; white-space: nowrap; }
.said { color: var(--ink2); font-size: 12px; background: var(--raised); border-radius: 3px; padding: 1px 7px; }
.verdict { white-space: nowrap; font-weight: 600; }
.holds { color: var(--ok); } .known { color: var(--ink2); } .fails { color: var(--err); }
.part { white-space: nowrap; color: var(--ink2); }
.left { color: var(--ink2); font-weight: 400; }
tr.why td { border-bottom: 1px solid var(--grid); color: var(--ink2); padding-top: 0; } tr.whose td { border-bottom: none; }
@media print { body { background: #fff; } article { border: none; padding: 0; break-inside: avoid; } }
)css";

constexpr const char* kLight = "--app: #f4f6f8; --raised: #e9ecef; --ok: #0b6b45; --err: #b3261e; ";
constexpr const char* kDark = "--app: #171b20; --raised: #2b323a; --ok: #4ec48e; --err: #ff8a80; ";

/// Text with sub- and superscripts; what stands between backticks is code.
std::string HtmlRich(std::string_view text) {
  std::string out;
  bool code = false;
  while (true) {
    const std::size_t tick = text.find('`');
    const std::string_view part = text.substr(0, tick);
    if (code) {
      out += "<code>" + EscapeSvg(part) + "</code>";
    } else {
      std::vector<RichRun> runs;
      SplitRuns(part, &runs);
      for (const RichRun& run : runs) {
        const char* tag = run.level == RichLevel::kSub     ? "sub"
                          : run.level == RichLevel::kSuper ? "sup"
                                                           : nullptr;
        out += tag == nullptr ? EscapeSvg(run.text)
                              : fmt::format("<{0}>{1}</{0}>", tag, EscapeSvg(run.text));
      }
    }
    if (tick == std::string_view::npos) return out;
    text.remove_prefix(tick + 1);
    code = !code;
  }
}

struct AnswerLook {
  const char *css, *sign;
};
/// Colour is never the only sign.
AnswerLook LookOf(StudyAnswer answer) {
  switch (answer) {
    case StudyAnswer::kHolds:
      return {"holds", "✓"};
    case StudyAnswer::kNotReproduced:
      return {"known", "–"};
    case StudyAnswer::kFalse:
    case StudyAnswer::kHoldsNow:
      return {"fails", "✕"};
    case StudyAnswer::kLeftOut:
      break;
  }
  return {"left", "○"};
}

std::string VerdictRow(const StudyVerdict& verdict) {
  const StudyCondition& of = *verdict.of;
  const VerdictWords words = WordsOf(verdict);
  const AnswerLook look = LookOf(verdict.answer);
  const std::string& why = verdict.note.empty() ? of.known : verdict.note;
  std::string text = fmt::format(
      "<tr{}><td><span class=\"said\">{}</span></td><td>{}</td><td class=\"right number\">{}</td>"
      "<td class=\"right number\">{}</td><td class=\"right verdict {}\">{} {}</td></tr>\n",
      why.empty() ? "" : " class=\"whose\"", kStudyMarks[static_cast<std::size_t>(of.mark)],
      HtmlRich(of.text), EscapeSvg(words.measured), EscapeSvg(words.expected), look.css, look.sign,
      Name(verdict.answer));
  if (!why.empty())
    text +=
        fmt::format("<tr class=\"why\"><td></td><td colspan=\"4\">{}</td></tr>\n", HtmlRich(why));
  return text;
}

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(4 * (bytes.size() / 3 + 1));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[(group >> (18 - 6 * k)) & 63u] : '=';
  }
  return text;
}

/// Words to the left, numbers to the right.
std::string TableText(const ReportTable& table) {
  std::string text =
      fmt::format("<h3>{}</h3>\n<div class=\"table\"><table>\n", HtmlRich(table.title));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += "<tr>";
    for (const std::string& cell : table.rows[r])
      text += fmt::format("<{0} class=\"right{1}\">{2}</{0}>", r == 0 ? "th" : "td",
                          r == 0 ? "" : " number", EscapeSvg(cell));
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string Article(const StudyReport& report) {
  const Study& study = *report.study;
  std::string text = fmt::format("<article id=\"{}\">\n<h2>{}</h2>\n<p class=\"meta\">",
                                 EscapeSvg(study.id), HtmlRich(study.title));
  if (!study.source.empty()) text += EscapeSvg(study.source) + " · ";
  std::string runs;
  for (const StudyRun& run : study.runs) runs += (runs.empty() ? "" : ", ") + RunWords(run);
  text += fmt::format("<code>slipscope study {}</code> · {}</p>\n", EscapeSvg(study.id),
                      EscapeSvg(runs));
  if (!study.shows.empty())
    text += fmt::format("<p class=\"shows\">{}</p>\n", HtmlRich(study.shows));
  for (const Figure& figure : report.figures)
    text += fmt::format("<figure>{}</figure>\n", FigureSvg(figure, true));
  for (const ReportPicture& picture : report.pictures)
    text += fmt::format("<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\"></figure>\n",
                        EscapeSvg(picture.title), Base64(picture.small));
  for (const ReportTable& table : report.tables) text += TableText(table);
  text += fmt::format("<p>{}</p>\n", HtmlRich(study.story));
  if (report.failed > 0)
    text += fmt::format("<p class=\"meta\">{} cell{} failed; the tables say why.</p>\n",
                        report.failed, report.failed == 1 ? "" : "s");
  if (!report.verdicts.empty()) {
    text +=
        "<div class=\"table\"><table><tr><th>from</th><th>what must be true</th>"
        "<th class=\"right\">measured</th><th class=\"right\">expected</th>"
        "<th class=\"right\">verdict</th></tr>\n";
    for (const StudyVerdict& verdict : report.verdicts) text += VerdictRow(verdict);
    text += "</table></div>\n";
  }
  return text + "</article>\n";
}

/// A row for each study, under its paper.
std::string Contents(std::span<const StudyReport> reports) {
  std::string text = "<div class=\"table\"><table>\n", paper;
  for (const StudyReport& report : reports) {
    const auto [of, part] = SplitSource(report.study->source);
    if (of != paper || &report == &reports.front())
      text += fmt::format("<tr><th colspan=\"4\">{}</th></tr>\n", EscapeSvg(of));
    paper = of;
    const AnswerCounts counts = CountAnswers(report);
    const bool fails = std::any_of(report.verdicts.begin(), report.verdicts.end(),
                                   [](const StudyVerdict& verdict) { return verdict.Fails(); });
    const AnswerLook look = LookOf(fails           ? StudyAnswer::kFalse
                                   : counts[1] > 0 ? StudyAnswer::kNotReproduced
                                                   : StudyAnswer::kHolds);
    text += fmt::format(
        "<tr><td class=\"verdict {}\">{}</td><td class=\"part\">{}</td>"
        "<td><a href=\"#{}\">{}</a></td><td class=\"right\">{}</td></tr>\n",
        look.css, look.sign, EscapeSvg(part), EscapeSvg(report.study->id),
        HtmlRich(report.study->title), CountText(counts));
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string ReportHtml(std::span<const StudyReport> reports, const ReportContext& context) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Studies</title>\n<style>\n:root {{ color-scheme: light dark; {}{}}}\n"
      "@media (prefers-color-scheme: dark) {{ :root {{ {}{}}} }}\n"
      "@media print {{ :root {{ {}{}}} }}{}</style>\n</head>\n<body>\n<main>\n",
      kLight, FigureColours(false), kDark, FigureColours(true), kLight, FigureColours(false),
      kStyle);
  text += fmt::format(
      "<h1>Studies</h1>\n<p class=\"meta\">{}. Slipscope {} · <code>{}</code></p>\n"
      "<p class=\"meta\">Statements are said in the paper, derived from its equations, or chosen: "
      "values that the paper does not print. Where axes or parameters are chosen, a figure shows a "
      "shape, not the paper's values.</p>\n",
      CountText(CountAnswers(reports)), EscapeSvg(context.version),
      EscapeSvg(context.command_line));
  text += Contents(reports);
  for (const StudyReport& report : reports) text += Article(report);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace slip::app
