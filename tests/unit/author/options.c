/* Option lists in all dress, against a small reference. */
#include <criterion/criterion.h>

#include "author/options.h"
#include "rules/rules.h"

static const char pack[] =
	"pack: p\nversion: 1\ntitle: t\noption-sources: [sink.demo, demo]\nforeign-options: [path, sinkZone, "
	"name]\n"
	"options:\n"
	"  - {id: sinkMode, scope: write, constant: SINK_MODE, wrong: {sinkWay: it is an old name, name: too "
	"short}}\n"
	"  - {id: sinkSize, scope: write, constant: SINK_SIZE}\n"
	"  - {id: sinkHost, scope: both, argument: 1}\n"
	"  - {id: sinkTable, scope: write, argument: 2}\n"
	"  - {id: sinkQuery, scope: read, argument: 2}\n"
	"  - {id: sinkSecret, scope: both}\n"
	"  - {id: sinkJson, scope: write}\n"
	"  - {id: sinkZone, scope: both}\n"
	"option-faults:\n"
	"  - {id: mode, when: \"sinkMode != '' and not sinkMode in [Fast, Slow]\", text: 'mode is "
	"{sinkMode}', "
	"cause: a.b, refs: [x]}\n"
	"  - {id: size, when: sinkSize >= 2048, text: 'size is {sinkSize}', refs: [x]}\n"
	"  - {id: form, when: \"sinkSize != '' and sinkSize.form != whole\", text: 'no number', refs: [x]}\n"
	"  - {id: secret, when: \"sinkSecret != '' and sinkMode == Slow\", text: 'secret {sinkSecret} "
	"{sinkHost}', "
	"level: warning, refs: [x]}\n"
	"  - {id: json, when: \"sinkJson != '' and sinkJson.form != object\", text: no object, refs: [x]}\n"
	"  - {id: host, when: \"sinkHost == '' and chain.ended == true and chain.operation in [read, "
	"write]\", text: "
	"no host, refs: [x]}\n"
	"  - {id: save, when: \"chain.mode != '' and not chain.mode =~ append\", text: 'save {chain.mode}', "
	"refs: [x]}\n";

static struct kt_rules *rules;
static struct kt_arena arena;

static void load(void)
{
	struct kt_rules_text text = {KT_S("packs/p/pack.yaml"), KT_S(pack)};
	struct kt_diags diags = {0};
	struct kt_buf out = KT_BUF(1 << 16);
	struct kt_err err = {0};

	int rc = kt_rules_load_texts(&text, 1, NULL, &rules, &diags, &err);
	kt_diags_format(&diags, &out);
	cr_assert(rc == 0, "%s", kt_buf_c(&out));
	kt_diags_free(&diags);
	kt_buf_free(&out);
}

static void unload(void)
{
	kt_rules_free(rules);
	kt_arena_free(&arena);
}

TestSuite(options, .init = load, .fini = unload);

/* WANT: "LINE:COL ID TEXT" of each finding, joined by "; ". */
static void finds(const char *source, const char *want)
{
	struct kt_option_findings f;
	struct kt_buf got = KT_BUF(1 << 16);

	kt_options_check(rules->kb, kt_str_c(source), &arena, &f);
	for (size_t i = 0; i < f.n; i++)
		kt_buf_fmt(&got, "%s%u:%u " KT_FMT " " KT_FMT, i ? "; " : "", f.p[i].line, f.p[i].column,
			   KT_ARG(f.p[i].id), KT_ARG(f.p[i].text));
	cr_assert(kt_str_eq_c(kt_buf_view(&got), want), "%s\ngives %s\nwanted %s", source, kt_buf_c(&got),
		  want);
	kt_buf_free(&got);
}

#define QUICK(place) place " mode mode is Quick"

Test(options, pairs_in_every_dress)
{
	finds(".option(\"sinkMode\", \"Quick\")", QUICK("1:9"));
	finds(".option('sinkMode','Quick')", QUICK("1:9"));
	finds("x.options(sinkMode=\"Quick\")", QUICK("1:11"));
	finds("x.options(**{\"sinkMode\": \"Quick\"})", QUICK("1:14"));
	finds("x = dict(sinkMode='Quick', path=1)", QUICK("1:10"));
	finds("Map(\"sinkMode\" -> \"Quick\")", QUICK("1:5"));
	finds("Map[String, String](\"sinkMode\" -> \"Quick\")", QUICK("1:21"));
	finds("{\"sinkMode\": \"Quick\"}", QUICK("1:2"));
	finds("{\"a\": {\"sinkMode\": \"Quick\"}, \"b\": [1, 2]}", QUICK("1:8"));
	finds("o.put(\"sinkMode\", \"Quick\");", QUICK("1:7"));
	finds("o[\"sinkMode\"] = \"Quick\"\n", QUICK("1:3"));
	finds("Map(SinkOptions.SINK_MODE -> \"Quick\")", QUICK("1:5"));
	finds(".option(a.b.SinkOptions.SINK_MODE, \"Quick\")", QUICK("1:9"));
	finds("x {sinkMode=Quick, sinkHost=https://h} y", QUICK("1:4"));
	finds("x Map(sinkMode -> Quick, sinkHost -> h) y", QUICK("1:7"));
	finds("sinkMode=Quick", QUICK("1:1"));
	finds("# x\n  sinkMode : 'Quick',\n", QUICK("2:3"));
	finds(".option(r\"sinkMode\", \"\"\"Quick\"\"\")", QUICK("1:9"));
	finds(".option(\"SINKMODE\", \"Quick\")", QUICK("1:9"));
}

Test(options, comments_and_texts_hold_no_options)
{
	finds("# .option(\"sinkMode\", \"Quick\")\n.option(\"sinkMode\", \"Fast\")", "");
	finds("/* .option(\"sinkMode\",\n \"Quick\") */ .option(\"sinkMode\", \"Fast\")", "");
	finds(".option(\"sinkMode\", \"Fast\") // .option(\"sinkMode\", \"Quick\")", "");
	finds("x = '.option(\"sinkMode\", \"Quick\")'", "");
	finds(".option(\"sinkSize\", n // 2).option(\"sinkMode\", \"Quick\")", QUICK("1:36"));
	finds("\xc3\xa4 = 1; .option(\"sinkMode\", \"Quick\")", QUICK("1:16"));
}

Test(options, what_a_variable_gives_is_unknown)
{
	finds(".option(\"sinkMode\", mode)", "");
	finds(".option(\"sinkMode\", f\"{mode}\")", "");
	finds(".option(\"sinkMode\", s\"$mode\")", "");
	finds(".option(\"sinkMode\", \"Qui\" + \"ck\")", "");
	finds(".option(\"sinkMode\", Mode.Quick.toString)", "");
	finds(".option(\"sinkSize\", 1024 * 1024)", "");
	finds("{\"sinkMode\": mode, \"sinkSize\": 2048}", "1:20 size size is 2048");
	/* It is set all the same. */
	finds(".option(\"sinkMode\", \"Slow\").option(\"sinkSecret\", s)",
	      "1:36 secret secret <sinkSecret> <sinkHost>");
	finds(".option(\"sinkSecret\", \"\").option(\"sinkMode\", \"Slow\")",
	      "1:9 secret secret  <sinkHost>");
}

Test(options, numbers_and_forms)
{
	finds(".option(\"sinkSize\", 2047)", "");
	finds(".option(\"sinkSize\", 2_048L)", "1:9 size size is 2048");
	finds(".option(\"sinkSize\", \"20 48\")", "1:9 form no number");
	finds(".option(\"sinkSize\", -5)", "");
	finds(".option(\"sinkSize\", True)", "1:9 form no number");
	finds(".option(\"sinkJson\", \"{\\\"a\\\": [1]}\")", "");
	finds(".option(\"sinkJson\", '''{\"a\": 1}''')", "");
	finds(".option(\"sinkJson\", \"{'a': 1}\")", "1:9 json no object");
}

Test(options, names_that_nothing_reads)
{
	finds("df.write.format(\"demo\").option(\"sinkMod\", \"x\")",
	      "1:32 unknown-option nothing reads \"sinkMod\"; did you mean \"sinkMode\"?");
	finds("df.write.format(\"demo\").option(\"other\", \"x\")",
	      "1:32 unknown-option nothing reads \"other\": there is no such option");
	finds("df.write.format(\"demo\").option(\"sinkWay\", \"x\")",
	      "1:32 wrong-name nothing reads \"sinkWay\"; the option is sinkMode (it is an old name)");
	finds("df.write.format(\"demo\").option(\"SinkOptions.SINK_MODE\", \"x\")",
	      "1:32 constant-in-quotes \"SinkOptions.SINK_MODE\" is the name of a constant in quotes, which "
	      "nothing "
	      "reads: write \"sinkMode\", or the constant without quotes");
	finds("df.write.format(\"demo\").option(\"path\", \"x\").option(\"spark.a\", 1)", "");
	/* A name that is a mistake here only. */
	finds("df.write.format(\"demo\").option(\"name\", \"x\")",
	      "1:32 wrong-name nothing reads \"name\"; the option is sinkMode (too short)");
	finds("{\"sinkHost\": \"h\", \"name\": 1}", "");
}

Test(options, lists_of_others_are_left_alone)
{
	finds("df.write.format(\"delta\").option(\"sinkMod\", \"x\").option(\"sinkMode\", \"x\").save()", "");
	finds("df.write.option(\"sinkMode\", \"x\").csv(\"y\")", "");
	finds("df.write.option(\"sinkMod\", \"x\").save()", "");
	finds("{\"sinkMod\": \"x\", \"sinkZone\": 1}", "");
	finds("df.write.format(\"demonstration\").option(\"sinkMode\", \"x\")", "");
	finds("df.write.format(\"sink.demo.v2\").option(\"sinkMode\", \"Quick\")", QUICK("1:40"));
	/* Most of its names are no options: only what is near one is told. */
	finds("{\"sinkHost\": \"h\", \"sinkSize\": 1, \"b2\": 2, \"c3\": 3, \"sinkModee\": 1}",
	      "1:52 unknown-option nothing reads \"sinkModee\"; did you mean \"sinkMode\"?");
	/* One alone may mean something else. */
	finds("{\"sinkSize\": 4096, \"b2\": 2, \"c3\": 3}", "");
	finds("{\"b2\": {\"c3\": 3, \"sinkHost\": 1, \"d\": 1}, \"sinkSize\": 4096, \"e\": 1}", "");
	finds("def f(sinkMode: String = \"Quick\") { val sinkSize = 5000; }", "");
}

Test(options, chains_are_judged_apart)
{
	finds("a = spark.read.format(\"demo\").option(\"sinkHost\", 1).option(\"sinkQuery\", \"q\").load()\n"
	      "a.write.format(\"demo\").option(\"sinkHost\", 1).option(\"sinkMode\", \"Quick\").save()",
	      QUICK("2:53"));
	finds("spark.read.format(\"demo\").option(\"sinkHost\", 1).option(\"sinkMode\", \"Fast\").load()",
	      "1:56 other-operation a read does not look at sinkMode: it counts for a write only");
	finds("spark.read.format(\"csv\").load().write.format(\"demo\").save()", "1:33 host no host");
	finds("df.write.format(\"demo\").option(\"sinkHost\", 1).mode(\"overwrite\").save()",
	      "1:4 save save overwrite");
	finds("df.write.format(\"demo\").option(\"sinkHost\", 1).mode(SaveMode.Ignore).save()",
	      "1:4 save save Ignore");
	finds("df.write.format(\"demo\").option(\"sinkHost\", 1).mode(how).save()", "");
	finds("df.write.format(\"demo\").save(sinkHost=1)", "");
}

Test(options, maps_go_into_the_chains_that_take_them)
{
	finds("c = {\"sinkHost\": \"h\"}\ndf.write.format(\"demo\").options(**c).save()", "");
	finds("val c: Map[String, String] = Map(\"sinkHosst\" -> "
	      "\"h\")\ndf.write.format(\"demo\").options(c).save()",
	      "1:34 unknown-option nothing reads \"sinkHosst\"; did you mean \"sinkHost\"?; 2:4 host no "
	      "host");
	finds("df.write.format(\"demo\").options(**other).save()", "");
	finds("c = {**d, \"sinkZone\": 1}\ndf.write.format(\"demo\").options(**c).save()", "");
	finds("c = Map(\"a\" -> 1) ++ d\ndf.write.format(\"demo\").options(c).save()",
	      "1:9 unknown-option nothing reads "
	      "\"a\": there is no such option");
	finds("w = df.write.format(\"demo\")\nw = w.option(\"sinkMode\", \"Quick\")\nw.save()",
	      "1:8 host no host; " QUICK("2:14"));
	finds("c = {\"sinkMode\": \"Quick\"}\ndf.write.format(\"csv\").options(**c).save()", "");
	finds("c = {\"sinkSize\": 2048}\na.write.demo(\"h\", \"t\", c)\nb.write.demo(\"h\", \"t\", c)",
	      "1:6 size size is "
	      "2048");
}

Test(options, the_method_of_the_source_has_its_arguments)
{
	finds("df.write.demo(\"h\", \"t\", Map(\"sinkMode\" -> \"Quick\"))", QUICK("1:29"));
	finds("spark.read.demo(\"h\", \"q\", Map(\"sinkTable\" -> \"t\"))", "");
	finds("spark.read.demo()", "1:7 host no host");
	finds("df.write.demo(host, \"t\")", "");
}

Test(options, an_extract_says_where_something_was_left_out)
{
	finds("df.write.format(\"demo\") ... .mode(\"Append\").save()", "");
	finds("df.write.format(\"demo\")\xe2\x80\xa6.save()", "");
	finds("c = {\"sinkZone\": 1, ...}\ndf.write.format(\"demo\").options(**c).save()", "");
}

Test(options, secrets_are_not_shown)
{
	finds("{\"sinkMode\": \"Slow\", \"sinkSecret\": \"hunter2\", \"sinkHost\": \"https://u:hunter2@h\"}",
	      "1:22 secret secret *** ***");
	finds("df.write.format(\"demo\").option(\"sig=hunter2hunter2\", 1)",
	      "1:32 unknown-option nothing reads \"sig=***\": there is no such option");
}

Test(options, the_cells_of_a_notebook)
{
	finds("{\"cells\": [{\"source\": [\n"
	      "  \"# it's \\\"x\\n\",\n"
	      "  \"df.write.format(\\\"demo\\\")\\\\\\n\",\n"
	      "  \".option(\\\"sinkMod\\\", \\\"a\\\\\\\"b\\\")\\n\"]}, {\"source\": "
	      "\".option('sinkMode',\\n'Quick')\"}],"
	      " \"a\": {\"sinkMode\": \"Quick\"}}",
	      "4:13 unknown-option nothing reads \"sinkMod\"; did you mean \"sinkMode\"?; " QUICK("4:63"));
	/* The line goes on behind a backslash: one chain. */
	finds("{\"cells\": [{\"source\": [\n\"df.write.format(\\\"demo\\\") \\\\\\n\",\n\".save()\\n\"]}]}",
	      "2:5 host no host");
}

Test(options, lines_that_are_no_properties)
{
	finds("def run():\n  sinkMode = 'Quick'\n  return go(sinkMode)\nrun()\n", "");
	finds("the sinkMode: Quick\nwas set\nby me\n", "");
	finds("[a]\nsinkMode=Quick\nname=x\n; c\n", QUICK("2:1"));
}

Test(options, hostile_nesting_ends)
{
	static const char *const pieces[] = {"(",
					     "{",
					     "[",
					     ")",
					     "'",
					     "\"",
					     "\"\"\"",
					     "\\'",
					     "/*",
					     "->",
					     "a=",
					     "\"a\":",
					     ".option(\"sinkMode\",",
					     "a.b(",
					     "f\"",
					     "// x)"};
	struct kt_buf b = KT_BUF(1 << 20);

	for (size_t i = 0; i < KT_LEN(pieces); i++) {
		kt_buf_clear(&b);
		for (size_t k = 0; k < 20000; k++)
			kt_buf_str(&b, pieces[i]);
		struct kt_option_findings f;
		kt_options_check(rules->kb, kt_buf_view(&b), &arena, &f);
		cr_assert(f.n < 20000);
	}
	kt_buf_free(&b);
}
