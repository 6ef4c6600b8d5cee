"use strict";
// Filters what stands in the page; it makes no request and writes text only as text.
(function () {
	const page = document, data = JSON.parse(page.getElementById("ui:data").textContent);
	const box = page.getElementById("ui:find"), count = page.getElementById("ui:count");
	const hits = page.getElementById("ui:hits"), list = page.getElementById("ui:list");
	const chosen = new Map();
	const LONG = 40; // letters: a word that is looked up is shorter
	const PASTED = 160; // letters: longer text, or several lines, is an error and no words

	const causes = Array.from(page.querySelectorAll(".cause"), function (node, at) {
		const known = data.causes[node.id] || { needs: {}, names: {}, texts: [] };
		const link = node.querySelector("h3 a");
		const fix = node.querySelector(".fix");
		// Where it stands when nobody searches.
		const place = page.createComment("");
		node.parentNode.insertBefore(place, node);
		return {
			node, at, place, link, known, id: node.id.toLowerCase(),
			title: link.textContent.toLowerCase(),
			texts: known.texts.map(t => t.slice(1).join(" ")).join(" ").toLowerCase(),
			fix: fix ? fix.textContent.toLowerCase() : "",
			body: node.textContent.toLowerCase(),
		};
	});
	const total = causes.filter(c => data.causes[c.node.id]).length;

	// The heaviest text of the cause of which all pieces stand in order, or null.
	function standing(cause, text, low) {
		const folded = cause.known.fold;
		let best = null;
		for (const [weight, ...pieces] of cause.known.texts) {
			let at = 0;
			for (const piece of pieces) {
				at = folded ? low.indexOf(piece.toLowerCase(), at) : text.indexOf(piece, at);
				if (at < 0)
					break;
				at += piece.length;
			}
			if (at >= 0 && (!best || weight > best.weight))
				best = { weight, pieces };
		}
		return best;
	}

	// A condition of the cause says otherwise.
	function excluded(cause) {
		for (const [fact, value] of chosen)
			if (cause.known.needs[fact] && !cause.known.needs[fact].includes(value))
				return true;
		return false;
	}

	function named(cause) {
		let n = 0;
		for (const [fact, value] of chosen)
			for (const kind of ["needs", "names"])
				if (cause.known[kind][fact] && cause.known[kind][fact].includes(value))
					n += 1;
		return n;
	}

	function worth(cause, word) {
		if (cause.id === word || cause.id.endsWith(":" + word))
			return 100;
		if (cause.id.includes(word))
			return 20;
		if (cause.title.includes(word))
			return 12;
		if (cause.texts.includes(word))
			return 8;
		if (cause.fix.includes(word))
			return 4;
		return cause.body.includes(word) ? 1 : 0;
	}

	function look() {
		const text = box.value.trim(), low = text.toLowerCase();
		const pasted = text.includes("\n") || text.length > PASTED;
		const words = low.split(/\s+/).filter(w => w);
		const found = [];
		let said = 0;
		for (const cause of causes) {
			if (excluded(cause))
				continue;
			const stands = words.length > 1 || text.length > LONG ? standing(cause, text, low) : null;
			let score = 0;
			if (!pasted && words.length) {
				const each = words.map(w => worth(cause, w));
				score = each.includes(0) ? 0 : each.reduce((a, b) => a + b, 0);
			}
			if (stands) {
				said += 1;
				score += 50 + stands.weight;
			}
			const agrees = named(cause);
			if (text ? score : agrees)
				found.push({ cause, score, agrees, stands });
		}
		found.sort((a, b) => b.score - a.score || b.agrees - a.agrees || a.cause.at - b.cause.at);
		return { text, found, said, pasted };
	}

	function why(hit) {
		const p = page.createElement("p");
		p.className = "why";
		p.append("its text stands in what you gave: ");
		hit.stands.pieces.forEach(function (piece, at) {
			const mark = page.createElement("mark");
			mark.textContent = piece;
			p.append(at ? " \u2026 " : "", mark);
		});
		return p;
	}

	function restore() {
		for (const cause of causes) {
			const p = cause.node.querySelector(".why");
			if (p)
				p.remove();
			if (cause.place.nextSibling !== cause.node)
				cause.place.parentNode.insertBefore(cause.node, cause.place.nextSibling);
		}
	}

	function summary(result) {
		const n = result.found.length, some = n === 1 ? "1 entry" : n + " entries";
		if (!result.text && !chosen.size)
			return total + " causes";
		if (result.said && (result.pasted || result.said === n))
			return (result.said === 1 ? "The text of 1 cause stands" : "Texts of " + result.said + " causes stand") +
				" in what you gave. This is evidence, no verdict: ktriage diagnose weighs it.";
		if (!n)
			return "Nothing here says that." + (result.pasted ? " ktriage diagnose reads whole logs." : " Try fewer words.");
		return some + (result.text ? "" : " that name this");
	}

	function update() {
		const result = look();
		const searching = Boolean(result.text || chosen.size);
		restore();
		page.documentElement.classList.toggle("searching", searching);
		hits.hidden = !searching || !result.found.length;
		if (searching)
			for (const hit of result.found) {
				if (hit.stands)
					hit.cause.link.parentNode.after(why(hit));
				list.append(hit.cause.node);
			}
		count.textContent = summary(result);
	}

	function open(node, on) {
		node.classList.toggle("open", on);
		node.querySelector("h3 a").setAttribute("aria-expanded", String(on));
	}

	function go() {
		const id = decodeURIComponent(location.hash.slice(1)), node = id ? page.getElementById(id) : null;
		if (!node)
			return;
		if (page.documentElement.classList.contains("searching") && !hits.contains(node))
			clear();
		if (node.classList.contains("cause"))
			open(node, true);
		node.scrollIntoView();
	}

	function clear() {
		box.value = "";
		chosen.clear();
		for (const button of page.querySelectorAll(".choices button"))
			button.setAttribute("aria-pressed", "false");
		update();
	}

	// The next or last heading that is shown.
	function move(by) {
		const links = Array.from(page.querySelectorAll(".cause > h3 a")).filter(a => a.offsetParent);
		const at = links.indexOf(page.activeElement);
		const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
		if (next)
			next.focus();
		else if (at === 0 && by < 0)
			box.focus();
	}

	function key(event) {
		const typing = event.target === box;
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === "Escape") {
			clear();
			box.focus();
		} else if (event.key === "/" && !typing) {
			box.focus();
			box.select();
		} else if (event.key === "ArrowDown" && (!typing || !box.value.includes("\n")) || event.key === "j" && !typing) {
			move(1);
		} else if (event.key === "ArrowUp" && !typing || event.key === "k" && !typing) {
			move(-1);
		} else if (event.key === "Enter" && typing && !event.shiftKey) {
			const first = list.querySelector(".cause > h3 a");
			if (first && !hits.hidden) {
				open(first.closest(".cause"), true);
				first.focus();
			}
		} else {
			return;
		}
		event.preventDefault();
	}

	function choose(button) {
		const fact = button.dataset.fact, on = button.getAttribute("aria-pressed") !== "true";
		for (const other of button.parentNode.children)
			other.setAttribute("aria-pressed", String(on && other === button));
		if (on)
			chosen.set(fact, button.dataset.value);
		else
			chosen.delete(fact);
		update();
	}

	page.documentElement.classList.add("js");
	page.getElementById("ui:tools").hidden = false;
	for (const cause of causes) {
		open(cause.node, false);
		cause.link.addEventListener("click", function (event) {
			const on = !cause.node.classList.contains("open");
			open(cause.node, on);
			event.preventDefault();
			history.replaceState(null, "", on ? "#" + cause.node.id : location.pathname + location.search);
		});
	}
	for (const button of page.querySelectorAll(".choices button"))
		button.addEventListener("click", () => choose(button));
	box.addEventListener("input", update);
	page.addEventListener("keydown", key);
	window.addEventListener("hashchange", go);
	// Printed is all: what was searched for stands in its place, and every flow is open.
	const flows = Array.from(page.querySelectorAll(".flow"));
	for (const flow of flows)
		flow.open = false;
	window.addEventListener("beforeprint", function () {
		restore();
		for (const flow of flows) {
			flow.dataset.was = flow.open ? "open" : "";
			flow.open = true;
		}
	});
	window.addEventListener("afterprint", function () {
		for (const flow of flows)
			flow.open = flow.dataset.was === "open";
		update();
	});
	update();
	go();
})();
