#!/usr/bin/env node
// A Gouji bot for Node, without packages: copy this file and change `choose`.
//
//     gouji evaluate "cmd:node experiments/bots/bot.js" greedy --deals 20
//
// It speaks the protocol of docs/bots.md and plays as bot.py does.
"use strict";

const readline = require("node:readline");

const KINDS = "3456789TJQKA2sb"; // low to high; s and b are the jokers
const GOUJI_FROM = { T: 5, J: 4, Q: 3, K: 2, A: 2 }; // that many equal cards are a gouji set
const LARGE_GROUP = 4; // equal cards: such a group is laid whole or not at all
const NEAR_END = 12; // cards in hand; from here on jokers and 2s are spent

// One of the legal actions: text such as "pass", "ss99" or "give:3".
function choose(seat, rules, view, legal) {
  const sets = legal.filter((action) => [...action].every((card) => KINDS.includes(card)));
  if (legal.length === 1) return legal[0];
  if (view.phase !== "play") return beforeTheFirstLead(legal);
  const out = sets.find((action) => action.length === view.hand.length);
  if (out) return out; // the whole hand
  const cheapest = (actions) => least(actions, (action) => cost(action, view.hand));
  if (view.table === null) return cheapest(sets.length ? sets : legal);
  if (partnersHold(seat, view) || wouldBurn(seat, rules, view)) return "pass";
  return cheapest(sets.filter((action) => affordable(action, view.hand))) ?? "pass";
}

// Stay loyal, keep the head, accept, give the lowest card.
function beforeTheFirstLead(legal) {
  const polite = ["pass", "keep", "accept"].find((action) => legal.includes(action));
  return polite ?? least(legal, (action) => [KINDS.indexOf(action.at(-1))]);
}

// Whether the table set is a partner's who can lead on.
function partnersHold(seat, view) {
  return view.owner % 2 === seat % 2 && view.live[view.owner];
}

// Whether the table set is a gouji set that only its owner's opposite answers freely.
function wouldBurn(seat, rules, view) {
  const restricted = view.headed[view.owner] && !view.free_for_all;
  return restricted && Math.abs(seat - view.owner) !== 3 && isGouji(view.table, rules);
}

function isGouji(cards, rules) {
  const base = cards.at(-1); // a set is written jokers, 2s, then its base rank
  if (/[sb]/.test(cards)) return true;
  if (base === "2") return cards.length >= rules.switches.gouji_twos;
  return cards.length >= (GOUJI_FROM[base] ?? 99);
}

// What a set costs, dear things first: jokers and 2s, then a group that is broken, then its rank.
function cost(cards, hand) {
  const base = cards.at(-1);
  return [special(cards), count(hand, base) - count(cards, base), KINDS.indexOf(base)];
}

// Whether an answer spends no joker and no 2 and breaks no large group, or the end is near.
function affordable(cards, hand) {
  const held = count(hand, cards.at(-1));
  const broken = held > count(cards, cards.at(-1)) && held >= LARGE_GROUP;
  return hand.length <= NEAR_END || !(special(cards) || broken);
}

function special(cards) {
  return [...cards].filter((card) => "2sb".includes(card)).length;
}

function count(cards, wanted) {
  return cards.split(wanted).length - 1;
}

// The first action with the least cost, costs compared place by place; undefined if there is none.
function least(actions, costOf) {
  let best, bestCost;
  for (const action of actions) {
    const its = costOf(action);
    const place = bestCost ? its.findIndex((part, i) => part !== bestCost[i]) : 0;
    if (!bestCost || (place >= 0 && its[place] < bestCost[place])) [best, bestCost] = [action, its];
  }
  return best;
}

console.log = console.error; // a console.log() for debugging is then no answer
let seat, rules;
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    ({ seat, rules } = message);
    answer({ type: "ready", protocol: 1, name: "bot.js" });
  } else if (message.type === "decide") {
    answer({ id: message.id, action: choose(seat, rules, message.view, message.legal) });
  } // not "deal", "bye", and what a later protocol may add
});

function answer(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}
