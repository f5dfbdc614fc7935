"""Small pages of the game for tests: a rulebook and a guide of a made-up 18th Edition."""

from pathlib import Path
from textwrap import dedent

RULEBOOK = dedent("""\
    <!DOCTYPE html>
    <html><head><title>Rulebook (18th Edition) - Keeper of the Cards</title></head>
    <body><main>
    <h2>Rulebook (18<sup>th</sup> Edition)</h2>
    <h3>Card Types and Layout</h3>
    <p>There are 2 types of cards in Keeper of the Cards: minions, and spells.
    <ol>
    <li>The level of the card.
    <li>The <abbr>SP</abbr> of the card.
    <li>The <abbr>HP</abbr> of the card.
    </ol>
    <h3>Setup and Deck Building</h3>
    <ul>
    <li>The deck must contain 50&ndash;70 cards.</li>
    <li>The total amount of Ultra Points in the deck must be no greater than 12.</li>
    </ul>
    <h3>Refurbished and Pruned Cards</h3>
    <h4>Clean Slate Edition</h4>
    <p>14<sup>th</sup> Edition is considered to be a <dfn>clean slate edition</dfn>, meaning that any card whose design
    edition is prior to 14<sup>th</sup> Edition is pruned.</p>
    <h4>Refurbished Card Texts</h4>
    <table>
    <tr><th>Original Text</th><th>New Text</th></tr>
    <tr><td>hurl <var>x</var> cards</td><td>fling <var>x</var> cards</td></tr>
    </table>
    <h4>Revised Levels</h4>
    <ul>
    <li>&ldquo;fling the targets&rdquo; <i>(17<sup>th</sup> Edition)</i></li>
    </ul>
    </main></body></html>
""")

GUIDE = dedent("""\
    <!DOCTYPE html>
    <html><head><title>Card Building Guide (18th Edition) - Keeper of the Cards</title></head>
    <body><main>
    <h2>Card Building Guide (18<sup>th</sup> Edition)</h2>
    <h3>Design Instructions</h3>
    <h4>Level</h4>
    <p>To determine a level of an ability, add together the ability's sub-ability levels, then if the ability has an
    activation cost, subtract the activation cost level decrease calculated by the level decrease formula. Round the
    result up to the next integer if it isn't one already. If less than 0, set to 0. If the ability is a minion ability
    and its level is less than 2, set to 2.</p>
    <p>To determine the level of a minion, add together the minion's SP and one fifth of its HP and round up to the next
    integer if it isn't one already. If less than 0, set to 0. Then, add the levels of all of the minion's abilities to
    the minion's level.</p>
    <h3>Card Texts</h3>
    <h4>Activation Conditions</h4>
    <ul>
    <li>&ldquo;When you take damage:&rdquo;</li>
    </ul>
    <h4>Activation Costs</h4>
    <ul>
    <li><math><mtext>(</mtext><mfrac><mi>x</mi><mn>3</mn></mfrac><mtext>)</mtext></math>
    &ldquo;pay <var>x</var> HP→&rdquo;
    </ul>
    <h4>Target Selections</h4>
    <ul>
    <li><math><mtext>(</mtext><mi>t</mi><mo>=</mo><mi>x</mi><mtext>)</mtext></math>
    &ldquo;Target <var>x</var> cards;&rdquo;
    </ul>
    <h4>Effects</h4>
    <ul>
    <li><math><mtext>(</mtext><mn>2</mn><mo>&InvisibleTimes;</mo><mi>t</mi><mtext>)</mtext></math>
    &ldquo;fling the targets.&rdquo;
    </ul>
    <h5>Ultra Effects</h5>
    <ul>
    <li>[+2] <math><mtext>(</mtext><mi>x</mi><mtext>)</mtext></math>
    &ldquo;win <var>x</var> times.&rdquo;
    </ul>
    </main></body></html>
""")


def changed(page: str, *changes: tuple[str, str]) -> str:
    """Return a page with words replaced that it has once."""
    for old, new in changes:
        assert page.count(old) == 1, old
        page = page.replace(old, new)
    return page


def write_pages(rulebook: str = RULEBOOK, guide: str = GUIDE) -> list[Path]:
    """Write the two pages into the current folder."""
    files = [Path("rulebook.html"), Path("guide.html")]
    for file, page in zip(files, (rulebook, guide), strict=True):
        file.write_text(page, encoding="utf-8")
    return files
