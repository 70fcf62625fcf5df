'use strict';
const samples = [];
const MOST = 120;
const byId = id => document.getElementById(id);

function line(name, largest) {
  const points = samples.map((sample, i) => {
    const x = 600 * (i + MOST - samples.length) / (MOST - 1);
    return x.toFixed(1) + ',' + (115 - 110 * Math.min(1, sample[name] / largest)).toFixed(1);
  });
  byId(name).setAttribute('points', points.join(' '));
}

function rows(id, values, cents) {
  byId(id).replaceChildren(...values.map(value => {
    const row = document.createElement('tr');
    for (const text of [value.text, cents ? (value.number / 100).toFixed(2) : '#' + value.number]) {
      const cell = document.createElement('td');
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  }));
}

function show(live) {
  byId('refused').textContent = live.refused;
  if (live.database) {
    const counters = {lost: live.lost, doubled: live.doubled, outOfOrder: live.out_of_order};
    for (const [id, count] of Object.entries(counters)) {
      byId(id).textContent = count;
      byId(id).className = count === 0 ? '' : 'wrong';
    }
    for (const id of ['booked', 'accepted', 'poisoned', 'archived', 'fraudCases']) {
      byId(id).textContent = live[id];
    }
    rows('wallets', live.wallets, true);
    rows('events', live.events, false);
  }
  samples.push({rate: live.rate || 0, latency: Number(live.latency || 0)});
  if (samples.length > MOST) {
    samples.shift();
  }
  byId('rateNow').textContent = samples.at(-1).rate;
  byId('latencyNow').textContent = samples.at(-1).latency;
  line('rate', Math.max(30, ...samples.map(sample => sample.rate)));
  line('latency', Math.max(500, ...samples.map(sample => sample.latency)));
  if (live.console) {
    byId('console').href = live.console;
    byId('console').hidden = false;
  }
}

async function follow() {
  try {
    show(await (await fetch('/live')).json());
  } catch (e) {
    byId('said').textContent = 'The service does not answer.';
  }
  setTimeout(follow, 1000);
}

for (const button of document.querySelectorAll('[data-disaster]')) {
  button.addEventListener('click', async () => {
    const answer = await fetch('/disasters/' + button.dataset.disaster, {method: 'POST'});
    byId('said').textContent = answer.ok ? button.textContent + ': done. Watch the line recover.' : 'Refused: not on a database of yours.';
  });
}
follow();
