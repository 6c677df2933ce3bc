# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Parts of a page, as mdoc(7) has them.

# One line of text as roff has it.
function roff(text)
{
	gsub(/\\/, "\\e", text)
	while (match(text, /@p [A-Za-z0-9_]+/))
		text = substr(text, 1, RSTART - 1) "\\fI" \
			substr(text, RSTART + 3, RLENGTH - 3) "\\fR" \
			substr(text, RSTART + RLENGTH)
	if (text ~ /^['.]/)
		text = "\\&" text
	return text
}

function quoted(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/"/, "\\(dq", text)
	return "\"" text "\""
}

function emit(text)
{
	print text > page
}

function emit_all(text,    lines, n, i)
{
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++)
		if (lines[i] != "")
			emit(roff(lines[i]))
}

# Text that stands as it is.
function emit_literal(text,    lines, n, i)
{
	emit(".Bd -literal -offset indent")
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++)
		if (i < n || lines[i] != "")
			emit(roff(lines[i]))
	emit(".Ed")
}

# "A thing." as NAME has it: "a thing".
function heading(text)
{
	gsub(/\n/, " ", text)
	sub(/\. .*$/, "", text)
	sub(/\.$/, "", text)
	if (text ~ /^[A-Z][^A-Z]/)
		text = tolower(substr(text, 1, 1)) substr(text, 2)
	return text
}

# Paragraphs and examples, which are indented.
function emit_body(    i, literal)
{
	literal = 0
	for (i = 1; i <= nr_body; i++) {
		if (body[i] ~ /^   /) {
			if (!literal)
				emit(".Bd -literal -offset indent")
			literal = 1
			emit(roff(substr(body[i], 4)))
			continue
		}
		if (literal) {
			if (body[i] == "" && body[i + 1] ~ /^   /) {
				emit("")
				continue
			}
			emit(".Ed")
			literal = 0
		}
		if (body[i] == "") {
			if (i < nr_body && body[i + 1] !~ /^   /)
				emit(".Pp")
		} else {
			emit(roff(body[i]))
		}
	}
	if (literal)
		emit(".Ed")
}

function emit_list(title, names, texts, n,    i)
{
	if (!n)
		return
	emit(title)
	emit(".Bl -tag -width indent")
	for (i = 1; i <= n; i++) {
		emit(".It " names[i])
		emit_all(texts[i])
	}
	emit(".El")
}

function begin_page(name, text)
{
	if (name in written) {
		print "man-pages: there are two pages for " name >"/dev/stderr"
		exit 1
	}
	page = out "/" name ".3"
	made[name] = 1
	emit(".\\\" Made of " header ". SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0")
	emit(".Dd " date)
	emit(".Dt " toupper(name) " 3")
	emit(".Os Open DOCA")
	emit(".Sh NAME")
	emit(".Nm " name)
	emit(".Nd " roff(heading(text)))
}

function emit_library(lib,    pkg)
{
	if (lib == "")
		return
	pkg = lib
	sub(/^lib/, "", pkg)
	if (pkg != "onload_ext")
		gsub(/_/, "-", pkg)
	emit(".Sh LIBRARY")
	emit(lib " (pkg-config " pkg ")")
}

function end_page(    see)
{
	if (since != "") {
		emit(".Sh HISTORY")
		emit("In the interface since " since ".")
	}
	if (current == stem && !ending)
		return # the rest of the header follows
	see = header in overview ? overview[header] : stem
	emit(".Sh SEE ALSO")
	if (see != current)
		emit(".Xr " see " 3 ,")
	emit(".Xr doca 7")
	close(page)
}

# The part of a page that follows the SYNOPSIS.
function emit_doc(    i, tags)
{
	emit(".Sh DESCRIPTION")
	emit_all(brief)
	if (nr_body)
		emit(".Pp")
	emit_body()
	for (i = 1; i <= nr_params; i++)
		tags[i] = "Fa " quoted(param_name[i])
	emit_list(".Pp\nThe arguments are:", tags, param_text, nr_params)
	if (returns != "") {
		emit(".Sh RETURN VALUES")
		emit_all(returns)
	}
	for (i = 1; i <= nr_values; i++)
		tags[i] = "Dv " value_name[i]
	emit_list(".Sh " (returns == "" ? "RETURN VALUES" : "ERRORS"), tags,
		value_text, nr_values)
}

# "type name(params)" into .Ft, .Fo, .Fa, .Fc
function emit_prototype(decl,    type, name, params, i, c, depth, arg)
{
	match(decl, /[A-Za-z0-9_]+\(/)
	type = strip(substr(decl, 1, RSTART - 1))
	name = substr(decl, RSTART, RLENGTH - 1)
	params = substr(decl, RSTART + RLENGTH)
	sub(/\)[^)]*$/, "", params)
	emit(".Ft " quoted(type))
	emit(".Fo " name)
	depth = 0
	arg = ""
	for (i = 1; i <= length(params) + 1; i++) {
		c = substr(params, i, 1)
		if (c == "(")
			depth++
		if (c == ")")
			depth--
		if ((c == "," && !depth) || i > length(params)) {
			emit(".Fa " quoted(strip(arg)))
			arg = ""
		} else {
			arg = arg c
		}
	}
	emit(".Fc")
}

function emit_things(kind, title,    i, some)
{
	for (i = 1; i <= nr_things; i++) {
		if (thing_kind[i] != kind)
			continue
		if (!some) {
			emit(".Sh " title)
			emit(".Bl -tag -width indent")
		}
		some = 1
		emit(".It Xr " thing_name[i] " 3")
		emit_all(thing_text[i])
	}
	if (some)
		emit(".El")
}
