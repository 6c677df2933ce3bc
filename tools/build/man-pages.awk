# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Manual pages of everything that the public headers document, made of their comments:
# a page for each function, type and macro, and one for each header that has none
# which a person wrote.
#
#     awk -v out=DIR -v date="November 1, 2026" -f man-pages.awk MAP... PAGE... HEADER...
#
# MAP is a version script, which tells what library a function is in; PAGE is a page
# that a person wrote, about the headers that its SYNOPSIS names.

function strip(text)
{
	sub(/^[ \t]+/, "", text)
	sub(/[ \t]+$/, "", text)
	return text
}

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

# Into brief, body[], params, values, returns and since.
function parse_doc(text,    lines, n, i, line, in_tag)
{
	brief = since = returns = ""
	nr_body = nr_params = nr_values = 0
	in_tag = "brief"
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++) {
		line = lines[i]
		if (line ~ /@since/) {
			since = line
			sub(/.*@since +/, "", since)
			sub(/\.$/, "", since)
			sub(/ *@since.*/, "", line)
			if (strip(line) == "") {
				in_tag = ""
				continue
			}
		}
		if (line ~ /^@brief/) {
			sub(/^@brief +/, "", line)
			brief = line
			in_tag = "brief"
		} else if (line ~ /^@param/) {
			sub(/^@param(\[[a-z,]*\])? +/, "", line)
			nr_params++
			param_name[nr_params] = line
			sub(/[ \t].*/, "", param_name[nr_params])
			sub(/^[^ \t]+[ \t]*/, "", line)
			param_text[nr_params] = strip(line)
			in_tag = "param"
		} else if (line ~ /^@retval/) {
			sub(/^@retval +/, "", line)
			nr_values++
			value_name[nr_values] = line
			sub(/[ \t].*/, "", value_name[nr_values])
			sub(/^[^ \t]+[ \t]*/, "", line)
			value_text[nr_values] = strip(line)
			in_tag = "retval"
		} else if (line ~ /^@return/) {
			sub(/^@return +/, "", line)
			returns = line
			in_tag = "return"
		} else if (line ~ /^@(file|def|name)/) {
			in_tag = ""
		} else if (strip(line) == "") {
			if (nr_body && body[nr_body] != "")
				body[++nr_body] = ""
			in_tag = ""
		} else if (in_tag == "brief") {
			brief = brief (brief == "" ? "" : "\n") strip(line)
		} else if (in_tag == "param") {
			param_text[nr_params] = param_text[nr_params] "\n" strip(line)
		} else if (in_tag == "retval") {
			value_text[nr_values] = value_text[nr_values] "\n" strip(line)
		} else if (in_tag == "return") {
			returns = returns "\n" strip(line)
		} else {
			body[++nr_body] = line
		}
	}
	while (nr_body && body[nr_body] == "")
		nr_body--
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

function remember(kind, name, text)
{
	nr_things++
	thing_kind[nr_things] = kind
	thing_name[nr_things] = name
	thing_text[nr_things] = text
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

function function_name(decl)
{
	match(decl, /[A-Za-z0-9_]+\(/)
	return substr(decl, RSTART, RLENGTH - 1)
}

# Without the words that tell compiler and linker what to do.
function clean(decl)
{
	gsub(/[ \t\n]+/, " ", decl)
	gsub(/__attribute__\(\([^;]*\)\)\)? /, "", decl)
	gsub(/DOCA_(STABLE|EXPERIMENTAL|DEPRECATED) /, "", decl)
	gsub(/static inline /, "", decl)
	gsub(/\( /, "(", decl)
	return strip(decl)
}

function document_function(decl,    name, experimental, old)
{
	experimental = decl ~ /DOCA_EXPERIMENTAL/
	old = decl ~ /DOCA_SYMBOL_2_5/
	sub(/DOCA_SYMBOL_2_5.*/, "", decl)
	decl = clean(decl)
	name = function_name(decl)
	if (old) {
		old_form[name] = decl
		return
	}
	if (name in library)
		header_library = library[name]
	functions[header] = functions[header] " " name "_"
	prototypes[header] = prototypes[header] "\n" decl
	parse_doc(doc)
	remember("function", name, brief)
	current = name
	begin_page(name, brief)
	emit_library(header_library)
	emit(".Sh SYNOPSIS")
	emit(".In " header)
	emit_prototype(decl)
	if (name in old_form) {
		emit(".Pp")
		emit("With")
		emit(".Dv DOCA_API_COMPAT_2_5")
		emit("defined:")
		emit(".Pp")
		emit_prototype(old_form[name])
	}
	emit_doc()
	if (experimental) {
		emit(".Sh STANDARDS")
		emit("Experimental: programs that use it define")
		emit(".Dv DOCA_ALLOW_EXPERIMENTAL_API .")
	}
	end_page()
}

# The members of an enumeration, a structure or a union, each with its comment.
function parse_members(decl,    lines, n, i, line, text, waiting)
{
	nr_members = 0
	shown = ""
	waiting = ""
	n = split(decl, lines, "\n")
	for (i = 1; i <= n; i++) {
		line = lines[i]
		text = ""
		if (match(line, /\/\*\*<?/)) {
			text = substr(line, RSTART + RLENGTH)
			line = substr(line, 1, RSTART - 1)
			while (text !~ /\*\// && i < n) {
				i++
				sub(/^[ \t]*\*? ?/, "", lines[i])
				text = text "\n" lines[i]
			}
			sub(/[ \t]*\*\/.*/, "", text)
			text = strip(text)
		}
		if (strip(line) == "") {
			waiting = text
			continue
		}
		shown = shown line "\n"
		sub(/[ \t]+$/, "", shown)
		if (i == 1 || line ~ /^}/)
			continue
		line = strip(line)
		sub(/[,;]$/, "", line)
		nr_members++
		member_name[nr_members] = "Dv " quoted(line)
		member_text[nr_members] = text != "" ? text : waiting
		waiting = ""
	}
}

# The name that a typedef gives: of an object, of a pointer to a function, of a function.
function typedef_name(decl)
{
	if (match(decl, /\(\*?[A-Za-z0-9_]+\)\(/))
		decl = substr(decl, RSTART + 1, RLENGTH - 3)
	else if (match(decl, /[A-Za-z0-9_]+\(/))
		decl = substr(decl, RSTART, RLENGTH - 1)
	else
		sub(/;.*/, "", decl)
	sub(/.*[ *]/, "", decl)
	return decl
}

function document_type(decl,    name)
{
	if (decl ~ /^typedef/) {
		name = typedef_name(clean(decl))
	} else {
		match(decl, /^(enum|struct|union) [A-Za-z0-9_]+/)
		name = substr(decl, RSTART, RLENGTH)
		sub(/.* /, "", name)
	}
	parse_doc(doc)
	remember("type", name, brief)
	current = name
	begin_page(name, brief)
	emit(".Sh SYNOPSIS")
	emit(".In " header)
	nr_members = 0
	shown = decl
	if (decl ~ /{/)
		parse_members(decl)
	emit_literal(shown)
	emit_doc()
	emit_list(".Pp\nThe members are:", member_name, member_text, nr_members)
	end_page()
}

function document_macro(name, decl)
{
	remember("macro", name, brief)
	current = name
	begin_page(name, brief)
	emit(".Sh SYNOPSIS")
	emit(".In " header)
	emit(".Fd " quoted("#define " decl))
	emit_doc()
	end_page()
}

# "#define NAME(args) what" without the what.
function document_define(decl)
{
	sub(/^#define +/, "", decl)
	if (match(decl, /^[A-Za-z0-9_]+\([^)]*\)/))
		decl = substr(decl, 1, RLENGTH)
	else if (decl ~ /\\\n/ || decl ~ /\\$/)
		sub(/[ \t].*/, "", decl)
	gsub(/[ \t]+/, " ", decl)
	parse_doc(doc)
	if (match(decl, /^[A-Za-z0-9_]+/))
		document_macro(substr(decl, 1, RLENGTH), decl)
}

# A comment that names what it is about: "@def NAME", perhaps several times.
function document_named(text,    parts, n, i, name)
{
	n = split(text, parts, "@def ")
	for (i = 2; i <= n; i++) {
		name = parts[i]
		sub(/[^A-Za-z0-9_].*/, "", name)
		sub(/^[^\n]*\n/, "", parts[i])
		parse_doc(parts[i])
		document_macro(name, name)
	}
}

function document(decl)
{
	if (decl ~ /^#define/)
		document_define(decl)
	else if (decl ~ /^typedef / || decl ~ /^(enum|struct|union) [a-z0-9_]+ {/)
		document_type(decl)
	else if (decl ~ /\(/)
		document_function(decl)
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

function end_header()
{
	if (header == "" || stem in written)
		return
	ending = 1
	current = stem
	parse_doc(header_doc)
	since = ""
	if (stem in made) {
		page = out "/" stem ".3"
		emit(".Sh NOTES")
	} else {
		begin_page(stem, brief)
		emit_library(header_library)
		emit(".Sh SYNOPSIS")
		emit(".In " header)
		emit(".Sh DESCRIPTION")
	}
	emit_all(brief)
	if (nr_body)
		emit(".Pp")
	emit_body()
	emit_things("function", "FUNCTIONS")
	emit_things("type", "TYPES")
	emit_things("macro", "MACROS")
	end_page()
	ending = 0
}

# The header that has most of what is written like this; "" if none has.
function most_of(where, like,    name, n, most, best)
{
	best = ""
	most = 0
	for (name in where) {
		n = gsub(like, "&", where[name])
		if (n > most || (n && n == most && name < best)) {
			most = n
			best = name
		}
	}
	return best
}

# Objects whose inside no program sees: the page about the header with most of their
# functions is the one about them, or with most that take them, or the first that has them.
function link_opaque(    type, best)
{
	for (type in opaque) {
		if (type in made || type in written)
			continue
		best = most_of(functions, " " type "_")
		if (best == "")
			best = most_of(prototypes, "struct " type " ")
		if (best == "")
			best = opaque[type]
		page = out "/" type ".3"
		stem = best
		sub(/\.h$/, "", stem)
		gsub(/\//, "_", stem)
		emit(".so man3/" (best in overview ? overview[best] : stem) ".3")
		close(page)
	}
}

function begin_header()
{
	end_header()
	header = FILENAME
	sub(/.*\/include\//, "", header)
	stem = header
	sub(/\.h$/, "", stem)
	gsub(/\//, "_", stem)
	header_doc = doc = decl = ""
	header_library = ""
	in_doc = nr_things = 0
}

FNR == 1 {
	kind = FILENAME ~ /\.map$/ ? "map" : FILENAME ~ /\.h$/ ? "header" : "page"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.[^.]*$/, "", name)
	if (kind == "page")
		written[name] = 1
	if (kind == "header")
		begin_header()
}

kind == "map" {
	if (match($0, /^\t+[a-z0-9_]+;/)) {
		line = strip($0)
		sub(/;.*/, "", line)
		library[line] = name
	}
	next
}

# The first page that a header is named in is the one about it.
kind == "page" {
	if ($1 == ".In" && !($2 in overview))
		overview[$2] = name
	next
}

# Comments
in_doc {
	line = $0
	if (sub(/ *\*\/.*/, "", line))
		in_doc = 0
	sub(/^[ \t]*\* ?/, "", line)
	doc = doc "\n" line
	if (in_doc)
		next
	if (doc ~ /@file/) {
		header_doc = doc
		doc = ""
	} else if (doc ~ /@def /) {
		document_named(doc)
		doc = ""
	} else if (doc ~ /@name /) {
		doc = ""
	}
	next
}

decl == "" && /^\/\*\*/ {
	line = $0
	sub(/^\/\*\* ?/, "", line)
	in_doc = 1
	if (sub(/ *\*\/.*/, "", line))
		in_doc = 0
	doc = line
	next
}

/^struct [a-z0-9_]+;/ {
	line = $2
	sub(/;/, "", line)
	if (!(line in opaque))
		opaque[line] = header
}

doc == "" { next }

# Declarations
decl == "" && $0 == "" { next }
decl == "" && /^#(if|else|endif|undef)/ { next }

{
	decl = decl (decl == "" ? "" : "\n") $0
	if (decl ~ /^#define/) {
		if (/\\$/)
			next
	} else if (decl ~ /^(enum|struct|union) [a-z0-9_]+ {/) {
		if (!/^}/)
			next
	} else if (decl ~ /static inline/ && /^{/) {
		sub(/\n{.*/, "", decl)
	} else if (!/;$/) {
		next
	}
	document(decl)
	doc = decl = ""
}

END {
	end_header()
	link_opaque()
}
