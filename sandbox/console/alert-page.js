// Runs in the browser. Texts of messages are only ever set as text, never as markup.

/* global document, fetch, AdaptiveCards */

const list = document.querySelector('#messages');
const state = document.querySelector('#state');
let last = 0;

function element(tag, { className, children = [] } = {}) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const decode = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** What Slack makes of markup that is marked as verbatim, as far as alerts use it: bold texts and links. */
function readMarkup(text) {
  return text.split(/(<[^<>|]+\|[^<>]*>|\*[^*]+\*)/).map((piece) => {
    const [, address, label] = /^<([^|]+)\|(.*)>$/.exec(piece) ?? [];
    if (address && /^https:\/\//.test(decode(address))) {
      const link = element('a', { children: [decode(label)] });
      link.href = decode(address);
      link.rel = 'noreferrer';
      link.target = '_blank';
      return link;
    }
    if (/^\*[^*]+\*$/.test(piece)) return element('strong', { children: [decode(piece.slice(1, -1))] });
    return decode(piece);
  });
}

const toText = ({ type, text }) => element('span', { children: type === 'mrkdwn' ? readMarkup(text) : [text] });

function toBlock({ type, text, fields, elements }) {
  if (type === 'header') return element('h2', { children: [text.text] });
  if (type === 'context') return element('p', { className: 'context', children: elements.map(toText) });
  if (fields) return element('div', { className: 'fields', children: fields.map(toText) });
  return element('p', { children: [toText(text)] });
}

function toCard(payload) {
  const card = new AdaptiveCards.AdaptiveCard();
  card.parse(payload.attachments[0].content);
  return card.render();
}

function show({ channel, name, receivedMs, payload }) {
  const time = new Date(receivedMs).toISOString().slice(11, 19);
  const from = element('strong', { children: [channel === 'slack' ? 'Slack' : 'Teams'] });
  const header = element('header', { children: [from, ` · ${name} · ${time} UTC`] });
  const body = channel === 'slack' ? payload.blocks.map(toBlock) : [toCard(payload)];
  list.prepend(element('article', { className: channel, children: [header, ...body] }));
  while (list.children.length > 100) list.lastElementChild.remove();
}

function showAll(messages) {
  for (const message of messages) {
    show(message);
    last = message.number;
  }
  if (last > 0) state.textContent = `${last} sent, the latest first.`;
}

async function update() {
  try {
    showAll(await (await fetch(`messages?after=${last}`)).json());
  } catch {
    state.textContent = 'The relay has ended.';
  }
  setTimeout(update, 1000);
}

// Markdown is left as it is: alerts rely on none.
AdaptiveCards.AdaptiveCard.onProcessMarkdown = (_, result) => {
  result.didProcess = false;
};
// A page that was written to a file has its messages in it.
const data = document.querySelector('#data');
if (data) showAll(JSON.parse(data.textContent));
else void update();
