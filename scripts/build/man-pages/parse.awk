# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Parse comments and declarations.

function strip(text)
{
	sub(/^[ \t]+/, "", text)
	sub(/[ \t]+$/, "", text)
	return text
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
