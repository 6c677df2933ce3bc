# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Manual pages of everything that the public headers document, made of their comments:
# a page for each function, type and macro, and one for each header that has none
# which a person wrote.
#
#     awk -v out=DIR -v date="November 1, 2026" -f roff.awk -f parse.awk -f pages.awk \
#             MAP... PAGE... HEADER...
#
# MAP is a version script, which tells what library a function is in; PAGE is a page
# that a person wrote, about the headers that its SYNOPSIS names.

function remember(kind, name, text)
{
	nr_things++
	thing_kind[nr_things] = kind
	thing_name[nr_things] = name
	thing_text[nr_things] = text
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
