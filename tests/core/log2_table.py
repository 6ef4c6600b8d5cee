#!/usr/bin/env python3
"""Works out the tables of the core again and compares.  log2_table.py SRC_CORE"""
import os, re, sys

ONE = 10 ** 12


def root(n, k):
    """floor(n ^ (1/k)), by halving."""
    lo, hi = 0, 1 << (n.bit_length() // k + 1)
    while lo < hi:
        mid = (lo + hi + 1) // 2
        lo, hi = (mid, hi) if mid ** k <= n else (lo, mid - 1)
    return lo


def log2(i):
    """2^20 * log2(1 + i / 4096), cut off: square, note the bit, twenty times."""
    x, bits = (4096 + i) << 28, 0
    for _ in range(20):
        x = x * x >> 40
        bits <<= 1
        if x >> 41:
            x, bits = x >> 1, bits | 1
    return bits


def numbers(path, begin, end):
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    if begin:
        text = text.split(begin)[1].split(end)[0]
    return [int(n) for n in re.findall(r"\b(\d+)(?:ull)?,", text)]


def main():
    folder = sys.argv[1]
    powers = numbers(os.path.join(folder, "score.c"), "powers[100] = {", "};")
    logs = numbers(os.path.join(folder, "log2_table.h"), None, None)
    if powers != [root(ONE ** 100 // 10 ** i, 100) for i in range(100)]:
        sys.exit("score.c: powers[] is wrong")
    if logs != [log2(i) for i in range(4096)]:
        sys.exit("log2_table.h is wrong")
    print("tables are right")


if __name__ == "__main__":
    main()
