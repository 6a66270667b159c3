import t from 'tap'
import { leadOf, prose } from '../../src/reference/html/prose.ts'
import { brokenServer, exampleServer } from '../../src/server.ts'

t.test('of raw HTML, what formats is kept, and nothing that runs or loads', async (t) => {
  const cases = {
    'a <b onclick="x()">b</b>': '<p>a <b>b</b></p>\n',
    '<script>alert(1)</script>': '',
    '<SCRIPT>alert(1)</SCRIPT>': '',
    '<p>one<p>two <svg/onload=alert(1)>': '<p>one</p><p>two &lt;svg/onload=alert(1)&gt;</p>',
    '<img src=x onerror=alert(1)> <img src="https://a/b.png" alt="b">':
      '<p> <img src="https://a/b.png" alt="b" loading="lazy"></p>\n',
    '<a href="javascript:x">a</a> <a href="https://b?c&d" onclick="e">b</a>':
      '<p>a <a href="https://b?c&amp;d">b</a></p>\n',
    'one <3, a<b and &lt; <!-- hidden -->': '<p>one &lt;3, a&lt;b and &lt; </p>\n',
    '<ul><li>a<li>b</ul>': '<ul><li>a</li><li>b</li></ul>',
    '<b>a<hr>b</b>': '<p><b>a<br>b</b></p>\n',
    '<table><tr><td>x &nbsp;<td>y</table>': '<table><tr><td>x &nbsp;</td><td>y</td></tr></table>',
  }
  for (const [text, html] of Object.entries(cases)) t.equal(prose(text).html, html, text)
})

t.test('of a long paragraph, the lead is its first sentences, if they are text', async (t) => {
  const long = `One. ${'word '.repeat(60)}end.`
  t.strictSame(leadOf(`${long}\n\nMore.`), { lead: 'One.', rest: `${long.slice(5)}\n\nMore.` })
  t.strictSame(leadOf(`\`a\` ${long}`), { lead: '', rest: `\`a\` ${long}` })
})

t.test('raw HTML leaves the page around it whole', async (t) => {
  const cases = {
    '</p></div></section></details>x': 'x',
    'a <i>b': '<p>a <i>b</i></p>\n',
    'a <blockquote><b>c</blockquote> d': '<p>a </p><blockquote><b>c</b></blockquote><p> d</p>\n',
    '- a <ul><li>b</li>\n- c': '<ul>\n<li>a <ul><li>b</li></ul></li>\n<li>c</li>\n</ul>\n',
    '<div>\n\n*x*\n\n</div>': '<p><em>x</em></p>\n',
    'a <ul><li>b\n\nc': '<p>a </p><ul><li>b</li></ul>\n<p>c</p>\n',
    '<details><summary>S</summary>\n\n*md*\n\n</details>':
      '<details><summary>S</summary><p><em>md</em></p>\n</details>',
  }
  for (const [text, html] of Object.entries(cases)) t.equal(prose(text).html, html, text)
})

t.test('an image is loaded with https, or is its text', async (t) => {
  t.equal(prose('![<b>](http://example.com/x.png)').html, '<p>&lt;b&gt;</p>\n')
  const image = '<p><img src="https://example.com/x.png" alt="&lt;b&gt;" loading="lazy"></p>\n'
  t.equal(prose('![<b>](https://example.com/x.png)').html, image)
})

t.test('a drawing of shapes and text is kept, and no other SVG', async (t) => {
  const drawing =
    '<svg viewBox="0 0 9 9" role="img">\n<title>a & b</title>\n<path d="M1 1V9" stroke="currentColor"/>\n</svg>'
  t.equal(prose(drawing).html.trim(), drawing)
  const paths = ['<path onclick="x"/>', '<path style="a"/>', '<path d="1"x=2/>']
  const others = ['<script>x()</script>', '<rect fill="url(#a)"/>', '<a href="x">b</a>', '<image x="1"/>', '<!-- -->']
  for (const part of [...paths, ...others])
    t.notMatch(prose(drawing.replace('<path', `${part}<path`)).html, '<svg', part)
})

t.test('a link that could run a script is reduced to its text', async (t) => {
  t.equal(prose('[**here**](javascript:alert(1))').html, '<p><strong>here</strong></p>\n')
  t.equal(prose('[a](http://x/?a&b)').html, '<p><a href="http://x/?a&amp;b">a</a></p>\n')
})

t.test('a heading within a section has an id of its own', async (t) => {
  const heading = 'If-Match &amp; <code>ETag</code></h3>\n'
  const section = { id: 'behavior', title: 'Behavior' }
  t.equal(
    prose('### If-Match & `ETag`\n### If-Match & `ETag`', section).html,
    `<h3 id="behavior-if-match-etag">${heading}<h3 id="behavior-if-match-etag-2">${heading}`,
  )
  t.equal(prose('# If-Match').html, '<p><strong>If-Match</strong></p>\n', 'of a description: others may have the same')
  const levels = prose('# One\n##### Two\n### Three', section).html.match(/<h\d/g)
  t.strictSame(levels, ['<h3', '<h4', '<h3'], 'below that of the section, and none is skipped')
})

t.test('a row of a table that begins with a code has an id', async (t) => {
  const section = { id: 'errors', title: 'Errors' }
  const { html } = prose('| code | meaning |\n|---|---|\n| `a_b` | **x** |\n| `c` d | y |\n| | z |', section)
  t.match(html, '<th scope="col">code</th>')
  t.match(html, '<tr id="errors-a_b"><td><code>a_b</code></td><td><strong>x</strong></td></tr>')
  t.equal(html.split('<tr id=').length, 2)
  t.match(prose('| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |').html, '<td>1</td><td data-label="b">2</td>')
})

t.test('code is escaped and colored, with the base URL marked and a copy button', async (t) => {
  t.equal(
    prose(`\`\`\`sh\ncurl ${exampleServer}/pets/<id>\n\`\`\``).html,
    '<div class="code"><button type="button" class="copy needs-script">Copy<span class="visually-hidden"> this code</span></button>' +
      '<pre><code class="language-sh"><span class="l"><span class="w">curl</span> ' +
      `<span class="server-url">${brokenServer}</span><wbr>/pets<wbr>/&lt;id&gt;</span></code></pre></div>\n`,
  )
  t.match(prose('    x').html, '<code class="language-text"><span class="l">x</span></code>')
})
