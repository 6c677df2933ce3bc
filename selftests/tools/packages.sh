#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#
# Packages of Debian's: each library has one, with the symbols of its version script, and what
# cannot be packed is refused in one line. Those of RPM's have the same files. make check-packages
# builds them.

top=$(realpath "$(dirname "$(realpath "$0")")/../..")
. "$top/selftests/lib/ktap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$top" || exit

libraries=$(sed -n 's/^$(call library,\([^,]*\),.*/lib\1/p' lib/libs.mk)

# All files that name the release name the same one.
test_changelogs_are_of_this_release() {
	local release bad=0 file pattern
	release=$(cat VERSION)
	while read -r file pattern; do
		[ "$(sed -nE "/^$pattern.*/ { s//\\1/p; q }" "$file")" = "$release" ] && continue
		echo "# $file is not of $release"
		bad=1
	done <<-'END'
		CHANGELOG.md ## ([^ ,]*)
		debian/changelog open-doca \(([^)]*)\)
		packaging/open-doca.spec Version: *([^ ]*)
		packaging/open-doca.spec \* .* - ([0-9.]*)-[0-9]*$
	END
	return $bad
}

# The package of a library: its name with dashes, and the number in its soname.
package_of() {
	grep -lxF "usr/lib/*/$1.so.*" debian/lib*.install | sed 's,debian/\(.*\).install,\1,'
}

test_each_library_has_a_package() {
	local library package bad=0
	for library in $libraries; do
		package=$(package_of "$library")
		[[ $package =~ ^${library//_/-}-?[0-9]$ ]] &&
			grep -qx "Package: $package" debian/control && continue
		echo "# $library has no package: see debian/"
		bad=1
	done
	return $bad
}

symbols_of_map() {
	awk '/\{$/ { node = $1 == "{" ? "Base" : $1 }
		/^global:/ { global = 1 }
		/^(local:|\})/ { global = 0 }
		global && node !~ /PRIVATE/ && sub(/;$/, "") { print $1 "@" node }' "$1" | sort
}

symbols_of_package() {
	sed -n 's/^ \([a-z_][^ ]*@[^ ]*\) .*/\1/p' "$1" | sort
}

# Nothing is linked with those of libonload that onload(1) loads.
test_packages_have_the_symbols_of_version_scripts() {
	local library package bad=0
	for library in $libraries; do
		[[ $library =~ ^libonload(_xdp)?$ ]] && continue
		package=debian/$(package_of "$library").symbols
		symbols_of_map "$(find lib -name "$library.map")" >"$work/map"
		[ -s "$work/map" ] && symbols_of_package "$package" | diff "$work/map" - >"$work/diff" && continue
		echo "# $package, whose symbols have the release that brought them:"
		sed 's/^/# /' "$work/diff"
		bad=1
	done
	return $bad
}

# Their patterns are those of all libraries, and not of the symbols and headers beside them.
test_texts_install_the_libraries() {
	local name pattern bad=0
	mkdir "$work/deb"
	for name in $(sed -n 's/^Package: //p' debian/control); do
		touch "$work/deb/${name}_0.2_arm64.deb" "$work/deb/$name-dbgsym_0.2_arm64.deb"
	done
	sed -n 's/^Package: \(lib.*doca.*[0-9]\)$/\1_0.2_arm64.deb/p' debian/control | sort >"$work/libraries"
	for name in README.md packaging/ci/github-workflow.yml packaging/container/Containerfile; do
		grep -o '[^/ ]*doca-\*[^ ]*\.deb' "$name" >"$work/patterns" || bad=1
		while IFS= read -r pattern; do
			(cd "$work/deb" && compgen -G "$pattern") | sort | diff "$work/libraries" - >"$work/diff" && continue
			echo "# $name, $pattern:"
			sed 's/^/# /' "$work/diff"
			bad=1
		done <"$work/patterns"
	done
	return $bad
}

# workflow STEP...: as a script, or why it is none
workflow() {
	printf '%s\n' "jobs:" "  job:" "    steps:" "${@/#/      - }" >"$work/job.yml"
	scripts/build/workflow "$work/job.yml" job 2>&1
}

test_steps_of_workflows_are_run() {
	python3 -c "import yaml" 2>/dev/null || return 4
	workflow "{name: first, run: echo said}" "{name: second, run: exit 3}" "{name: third, run: echo no}" |
		sh >"$work/out"
	printf '%s\n' "KTAP version 1" 1..3 said "ok 1 first" "not ok 2 second" | diff - "$work/out" &&
		workflow "uses: unknown/action@v1" | grep -q "^workflow: 'unknown/action@v1' is no action" &&
		workflow 'run: echo ${{ github.token }}' | grep -q "^workflow: .* is no expression"
}

# unknown KEY WORDS: it is refused in one line
unknown() {
	[ "$(scripts/build/workflow "$work/job.yml" job 2>&1)" = "workflow: $2 has '$1', which is not known here" ] &&
		return
	echo "# $1 of $2 is not refused"
	return 1
}

test_unknown_keys_of_workflows_are_refused() {
	local key
	python3 -c "import yaml" 2>/dev/null || return 4
	for key in env if working-directory; do
		workflow "{name: one, run: echo one, $key: '1'}" >/dev/null
		unknown $key "step 'one'" || return
	done
	workflow "{run: echo one}" >/dev/null
	sed -i '/^  job:/ a\    needs: other' "$work/job.yml"
	unknown needs "job 'job'" || return
	sed -i 's/^ *needs: .*/    runs-on: any/; 1 i on: push\ndefaults: {run: {shell: bash}}' "$work/job.yml"
	unknown defaults "$work/job.yml" || return
	sed -i /^defaults:/d "$work/job.yml"
	scripts/build/workflow "$work/job.yml" job >/dev/null
}

test_workflows_are_such_as_can_be_run() {
	local file job
	python3 -c "import yaml" 2>/dev/null || return 4
	for file in .github/workflows/*.yml packaging/ci/*.yml; do
		for job in $(sed -n '/^jobs:/,$ s/^  \([a-z0-9]*\):$/\1/p' "$file"); do
			scripts/build/workflow "$file" "$job" OPEN_DOCA=o CHECKOUT=c >"$work/script" &&
				grep -q '^1\.\.[4-9]$' <(sed -n 's/^echo //p' "$work/script") && sh -n "$work/script" || return
		done
	done
}

# All that packages have, where "make install" and debian/rules put it. LIBDIR would build tools anew.
install_all() {
	local root=$1
	make -s O="$BUILD" DESTDIR="$root" PREFIX=/usr install >"$work/out" 2>&1 || {
		tail -n 5 "$work/out" | sed 's/^/# /'
		return 1
	}
	install -D VERSION "$root/usr/src/open-doca-$(cat VERSION)/VERSION" &&
		install -D -t "$root/usr/share/doc/open-doca/Documentation" Documentation/*.md Documentation/*.rst \
			Documentation/*.svg &&
		install -D -t "$root/usr/share/doc/open-doca/Documentation/pictures" \
			Documentation/pictures/*.dot && install -t "$root/usr/share/doc/open-doca" README.md
}

test_rpms_have_the_same_files() {
	local kind
	command -v python3 >/dev/null && [ -e "${BUILD:-}/tools/doca_caps" ] || return 4
	install_all "$work/root" || return
	for kind in deb rpm; do
		scripts/build/package-files $kind "$work/root" >"$work/files.$kind" || return
	done
	[ "$(wc -l <"$work/files.deb")" -gt 1000 ] && diff "$work/files.deb" "$work/files.rpm" >"$work/diff" && return
	sed 's/^/# /' "$work/diff"
	return 1
}

# A clone, and programs of dpkg's and RPM's that do nothing
make_tree() {
	git clone -q --shared "$top" "$work/tree" 2>/dev/null || return
	install -D -m 755 /dev/null "$work/bin/dpkg-buildpackage"
	install -m 755 /dev/null "$work/bin/dpkg-checkbuilddeps"
	printf '#!/bin/sh\necho amd64\n' >"$work/bin/dpkg"
	chmod 755 "$work/bin/dpkg"
	install -m 755 /dev/null "$work/bin/rpmbuild"
}

test_rights_of_sources_are_the_same_for_all() {
	local bad
	make_tree || return 4
	printf '#!/bin/sh\nfind . -type f -printf "%%m %%p\\n" >"%s"\n' "$work/rights" >"$work/bin/dpkg-buildpackage"
	git -C "$work/tree" config tar.umask 0
	(umask 0 && PATH=$work/bin:$PATH "$work/tree/scripts/build/deb") >"$work/out" 2>&1
	bad=$(grep -vE '^(644|755) ' "$work/rights")
	rm -rf "$work/tree"
	[ -s "$work/rights" ] && [ -z "$bad" ] && return
	sed 's/^/# /' <<<"$bad" | head
	return 1
}

# missing LINE: what dpkg says of packages that are needed
missing() {
	printf '#!/bin/sh\necho "%s" >&2\nexit 1\n' "$1" >"$work/bin/dpkg-checkbuilddeps"
}

# refuses KIND WORDS: in one line, before anything is written
refuses() {
	local kind=$1 words=$2
	! PATH=$work/bin:$PATH "$work/tree/scripts/build/$kind" >"$work/out" 2>&1 &&
		[ "$(wc -l <"$work/out")" -eq 1 ] && grep -q "^$kind: .*$words" "$work/out" &&
		[ ! -e "$work/tree/build" ] && return
	sed 's/^/# /' "$work/out"
	return 1
}

# refuses_with_few KIND WORDS: in one line, with the programs in $work/few alone
refuses_with_few() {
	! PATH=$work/few "$work/tree/scripts/build/$1" >"$work/out" 2>&1 &&
		[ "$(wc -l <"$work/out")" -eq 1 ] && grep -q "^$1: $2" "$work/out" && [ ! -e "$work/tree/build" ] && return
	sed 's/^/# /' "$work/out"
	return 1
}

# As where there are no packages of git's, or of dpkg's and RPM's for developers
refuses_without_programs() {
	local name kind
	mkdir "$work/few"
	for name in bash cat dirname readlink sed; do
		ln -s "$(command -v $name)" "$work/few"
	done
	for kind in deb rpm; do
		refuses_with_few $kind "git is missing: install it" || return
	done
	ln -s "$(command -v git)" "$work/few"
	for kind in deb rpm; do
		refuses_with_few $kind ".* is missing: run .*install" || return
	done
}

test_what_cannot_be_packed_is_refused() {
	make_tree || return 4
	refuses_without_programs || return
	missing "dpkg-checkbuilddeps: error: Unmet build dependencies: libyara-dev dh-dkms"
	refuses deb "not installed: libyara-dev dh-dkms: run 'apt-get build-dep $work/tree'" || return
	ARCH=arm64 refuses deb "run 'dpkg --add-architecture arm64 .*apt-get build-dep -a arm64 .* $work/tree'" || return
	ARCH=vax refuses deb "ARCH is vax: packages are for amd64 and arm64" || return
	missing "dpkg-checkbuilddeps: error: syntax error in debian/control"
	refuses deb "cannot say .*: dpkg-checkbuilddeps: error: syntax error" || return
	echo >>"$work/tree/README.md"
	refuses deb "README.md is not as it was committed" || return
	refuses rpm "README.md is not as it was committed" || return
	git -C "$work/tree" checkout -q README.md
	touch "$work/tree/new"
	refuses deb "new is not as it was committed" || return
	rm "$work/tree/new"
	echo 9.9 >"$work/tree/VERSION"
	git -C "$work/tree" -c user.name=n -c user.email=e commit -q -a -m 9.9 &&
		refuses deb "CHANGELOG.md begins with .*, and VERSION is of 9.9" &&
		refuses rpm "CHANGELOG.md begins with .*, and VERSION is of 9.9" || return
	sed -i '0,/^## .*/s//## 9.9, not yet released/' "$work/tree/CHANGELOG.md"
	git -C "$work/tree" -c user.name=n -c user.email=e commit -q -a -m changes &&
		refuses deb "debian/changelog is of .*, and VERSION of 9.9" &&
		refuses rpm "open-doca.spec is of .*, and VERSION of 9.9" || return
	sed -i 's/^Version:.*/Version: 9.9/' "$work/tree/packaging/open-doca.spec"
	git -C "$work/tree" -c user.name=n -c user.email=e commit -q -a -m spec &&
		refuses rpm "first entry of %changelog in packaging/open-doca.spec is of .*-1, and VERSION of 9.9" || return
	(
		export GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
		refuses deb "which is another user's: be that user, or run 'git config .* safe.directory $work/tree'" &&
			refuses rpm "which is another user's"
	) || return
	rm -rf "$work/tree/.git"
	refuses deb "no clone of git" && refuses rpm "no clone of git"
}

# says WORDS: check-packages of a clone, as its last line, where it fails
says() {
	local words=$1
	shift
	! PATH=$work/bin:$PATH "$work/tree/scripts/build/check-packages" "$@" >"$work/out" 2>&1 &&
		[[ $(tail -n 1 "$work/out") = $words ]] && return
	sed 's/^/# /' "$work/out"
	return 1
}

# As on a machine that builds for no other; none of these parts is begun.
test_parts_of_check_packages_are_named_and_counted() {
	make_tree || return 4
	printf '#!/bin/sh\necho arm64\n' >"$work/bin/dpkg"
	says "check-packages: 'sid' is no suite*bookworm or trixie" sid &&
		says "check-packages: 'lint' is no part: they are build lintian*machines*workflow-arm64 rpm" bookworm use lint &&
		says "check-packages: there are no packages of bookworm*" bookworm machines || return
	install -D /dev/null "$work/tree/build/packages/bookworm/deb/one.deb"
	says "0 passed, 0 failed, 4 skipped" bookworm machines cross arm64 workflow-arm64 &&
		says "0 passed, 0 failed, 1 skipped" bookworm cross && [ "$(grep -c '# SKIP$' "$work/out")" -eq 1 ] || return
	rm -rf "$work/tree"
}

ktap_all
