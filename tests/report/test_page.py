"""The HTML report in a browser: filters, keys, themes, widths, print. Needs Chromium, as Debian packages it."""

import re
import shutil
import subprocess

import pytest
from mcp_tck.conformance.report import writers

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HEADLESS = (BROWSER, "--headless", "--no-sandbox", "--disable-gpu")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")

SAYS = """
<script>
addEventListener("load", () => {
  const all = s => [...document.querySelectorAll(s)].filter(n => n.checkVisibility()), says = [];
  const press = key => (document.activeElement || document.body).dispatchEvent(
    new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const type = text => {
    const box = document.getElementById("text");
    box.value = text;
    box.dispatchEvent(new Event("input"));
  };
  const say = (name, value) => says.push(name + "=" + value);
  %s
  const told = document.createElement("pre");
  told.id = "told";
  told.textContent = says.join("\\n");
  document.body.append(told);
});
</script>
"""


@pytest.fixture
def browse(records, material, tmp_path):
    """What a script says about the page; `options` go to the browser."""

    def browsed(script, *options, given=records):
        page = tmp_path / "page.html"
        page.write_text(writers.write(".html", material(given)).replace("</body>", SAYS % script + "</body>"), "utf-8")
        done = subprocess.run(
            [*HEADLESS, f"--user-data-dir={tmp_path}/profile", *options, "--dump-dom", page.as_uri()],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        told = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
        assert told, done.stderr[-2000:]
        return dict(line.split("=", 1) for line in told[1].splitlines())

    return browsed


def test_text_and_outcome_filter_what_is_shown(browse):
    said = browse("""
      say("all", all(".finding").length);
      type("the router"); say("text", all(".finding").length);
      type("nothing like it"); say("none", all(".finding").length + all(".area").length);
      type(""); say("again", all(".finding").length);
      document.querySelector(".pip[data-outcome=failed]").click();
      say("pressed", document.querySelector(".pip[data-outcome=failed]").getAttribute("aria-pressed"));
      say("without", all(".finding.failed").length); say("others", all(".finding").length);
      const line = document.querySelector(".line"); line.open = true;
      say("rows", [...line.querySelectorAll("tr")].filter(r => !r.hidden && r.dataset.outcome === "failed").length);
    """)
    assert said == {
        "all": "8",
        "text": "1",
        "none": "0",
        "again": "8",
        "pressed": "false",
        "without": "0",
        "others": "4",
        "rows": "0",
    }


def test_a_row_is_found_by_its_id_among_those_that_came_out_alike(browse, make):
    given = [make.record(f"say::rows[{row}]", "passed") for row in ("one", "two")]
    said = browse(
        """
      const count = () => document.querySelector(".count").textContent + all(".line").length;
      say("all", count()); type("rows[two]"); say("one", count()); type("rows[three]"); say("none", count());
        """,
        given=given,
    )
    assert said == {"all": "21", "one": "21", "none": "00"}


def test_everything_can_be_done_by_keys(browse):
    said = browse("""
      press("j"); say("first", document.activeElement.id);
      press("j"); say("second", document.activeElement.id);
      press("k"); say("back", document.activeElement.id);
      const box = () => document.activeElement.querySelector("details").open;
      const before = box(); press("o"); say("toggled", before !== box());
      press("a"); say("open", [...document.querySelectorAll(".finding details")].every(d => d.open));
      press("/"); say("search", document.activeElement.id);
      type("router"); press("Escape"); say("cleared", document.getElementById("text").value + all(".finding").length);
    """)
    assert said == {
        "first": "finding-0",
        "second": "finding-1",
        "back": "finding-0",
        "toggled": "true",
        "open": "true",
        "search": "text",
        "cleared": "8",
    }


def test_the_theme_follows_the_system_until_it_is_chosen(browse):
    script = """
      const ground = () => getComputedStyle(document.body).backgroundColor;
      say("system", ground()); press("t"); say("chosen", ground());
    """
    light, dark = "rgb(251, 251, 249)", "rgb(21, 24, 28)"
    assert browse(script, "--blink-settings=preferredColorScheme=1") == {"system": light, "chosen": dark}
    assert browse(script, "--blink-settings=preferredColorScheme=0") == {"system": dark, "chosen": light}


@pytest.mark.parametrize("theme", [0, 1], ids=["dark", "light"])
def test_every_text_has_contrast_enough(browse, theme):
    said = browse(
        """
      const channel = c => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
      const light = rgb => {
        const [r, g, b] = rgb.match(/[\\d.]+/g).map(Number);
        return .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
      };
      const ground = node => {
        for (; node; node = node.parentElement) {
          const colour = getComputedStyle(node).backgroundColor;
          if (!/, 0\\)$/.test(colour)) return colour;
        }
        return "rgb(255,255,255)";
      };
      let worst = 99, where = "";
      for (const d of document.querySelectorAll("details")) d.open = true;
      for (const node of all("body *")) {
        if (![...node.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
        const a = light(getComputedStyle(node).color), b = light(ground(node));
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < worst) { worst = ratio; where = node.tagName + "." + node.className; }
      }
      say("enough", worst >= 4.5); say("worst", worst.toFixed(2) + " " + where);
        """,
        f"--blink-settings=preferredColorScheme={theme}",
    )
    assert said["enough"] == "true", said["worst"]


@pytest.mark.parametrize("width", [500, 1280])
def test_nothing_is_wider_than_the_window(browse, width):
    said = browse(
        """
      for (const d of document.querySelectorAll("details")) d.open = true;
      say("fits", document.documentElement.scrollWidth <= document.documentElement.clientWidth);
        """,
        f"--window-size={width},800",
    )
    assert said["fits"] == "true"


def test_a_failure_is_a_conversation_in_two_lanes(browse):
    said = browse("""
      const talk = document.querySelector(".failed .talk");
      const box = name => talk.querySelector("." + name).getBoundingClientRect();
      say("lanes", box("sent").left < box("received").left && box("sent").right < box("received").right);
      say("order", box("sent").top < box("received").top && box("received").top < box("then").top);
    """)
    assert said == {"lanes": "true", "order": "true"}


def test_the_page_reads_without_scripts(records, material):
    page = writers.write(".html", material(records))
    page = page[: page.index("<script>")]
    for each in records:
        head, bracket, row = each["id"].partition("[")
        assert head in page
        assert bracket + row in page


def test_a_print_shows_every_exchange(records, material, tmp_path):
    page, paper = tmp_path / "page.html", tmp_path / "page.pdf"
    page.write_text(writers.write(".html", material(records)), "utf-8")
    subprocess.run(
        [
            *HEADLESS,
            f"--user-data-dir={tmp_path}/profile",
            f"--print-to-pdf={paper}",
            page.as_uri(),
        ],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert paper.read_bytes().startswith(b"%PDF")
