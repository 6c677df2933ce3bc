// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Arguments: the help, the version, and DPDK's part. */
#include <doca_version.h>

#include "argp_bed.h"

#define LEVELS                                             \
	"<10=DISABLE, 20=CRITICAL, 30=ERROR, 40=WARNING, " \
	"50=INFO, 60=DEBUG, 70=TRACE>\n"
#define DOCA_FLAGS                                                                                 \
	"\n"                                                                                       \
	"DOCA Flags:\n"                                                                            \
	"  -h, --help                        Print a help synopsis\n"                              \
	"  -v, --version                     Print program version "                               \
	"information\n"                                                                            \
	"  -l, --log-level                   Set the (numeric) log level "                         \
	"for the program " LEVELS "  --sdk-log-level                   Set the SDK (numeric) log " \
	"level for the program " LEVELS                                                            \
	"  -j, --json <path>                 Parse command line flags "                            \
	"from an input json file\n"

static struct doca_argp_param *described(const char *short_name, const char *long_name,
					 const char *arguments, const char *description)
{
	struct doca_argp_param *param = NEW(short_name, long_name, take_a, TEXT);

	doca_argp_param_set_arguments(param, arguments);
	doca_argp_param_set_description(param, description);
	return param;
}

static void begin_with_flags(void)
{
	begin();
	OK(doca_argp_register_param(described("p", "pci-addr", NULL, "DOCA device PCI address")));
	OK(doca_argp_register_param(described("sat", "stats-timer", "<time>", "Interval")));
	OK(doca_argp_register_param(described("x", NULL, NULL, "Short only")));
	OK(doca_argp_register_param(
		described(NULL, "a-name-that-is-longer-than", "<its-column>", "Follows")));
	OK(FLAG("y", "secret", take_on, BOOL, HIDDEN));
}

TEST(the_help_has_the_layout_of_doca)
{
	CHILD_SAYS(begin_with_flags(); START("-p", "1", "-h", "--unknown"));
	EXPECT_STR(bed_said, "Usage: prog [DOCA Flags] [Program Flags]\n" DOCA_FLAGS "\n"
			     "Program Flags:\n"
			     "  -p, --pci-addr                    DOCA device PCI address\n"
			     "  -sat, --stats-timer <time>        Interval\n"
			     "  -x                                Short only\n"
			     "  --a-name-that-is-longer-than <its-column> Follows\n");
}

TEST(a_program_without_flags_does_not_speak_of_them)
{
	CHILD_SAYS(begin(); START("--help"));
	EXPECT_STR(bed_said, "Usage: prog [DOCA Flags]\n" DOCA_FLAGS);
}

TEST(without_a_name_it_is_that_of_the_arguments)
{
	const char *second;

	CHILD_SAYS(OK(doca_argp_init(NULL, NULL)); doca_argp_usage(); START(); doca_argp_usage();
		   fflush(stdout); _exit(0));
	EXPECT(strstr(bed_said, "test_argp_usage [DOCA Flags]\n"));
	second = strstr(bed_said + 1, "Usage: ");
	EXPECT_STR(second, "Usage: argv0 [DOCA Flags]\n" DOCA_FLAGS);
}

static struct doca_argp_cmd *add_cmd(struct doca_argp_cmd *outer, const char *name,
				     const char *description)
{
	struct doca_argp_cmd *cmd = NULL;

	OK(doca_argp_cmd_create(&cmd));
	doca_argp_cmd_set_name(cmd, name);
	doca_argp_cmd_set_description(cmd, description);
	if (outer)
		OK(doca_argp_cmd_register_cmd(outer, cmd));
	else
		OK(doca_argp_register_cmd(cmd));
	return cmd;
}

static void begin_with_cmds(void)
{
	struct doca_argp_cmd *get, *one, *hidden = NULL;
	struct doca_argp_param *param;

	begin_with_flags();
	param = described("i", "inherited", NULL, "Everywhere");
	doca_argp_param_set_inherited(param);
	OK(doca_argp_register_param(param));
	get = add_cmd(NULL, "get", "Get things");
	add_cmd(NULL, "set", "Set things");
	one = add_cmd(get, "one", "Get one thing");
	param = described("k", "kind", "<kind>", "Kind of thing");
	doca_argp_param_set_inherited(param);
	OK(doca_argp_cmd_register_param(get, param));
	OK(doca_argp_cmd_register_param(one, described("n", "number", NULL, "Which one")));
	OK(doca_argp_cmd_create(&hidden));
	doca_argp_cmd_set_name(hidden, "hidden");
	doca_argp_cmd_set_hidden(hidden);
	OK(doca_argp_register_cmd(hidden));
}

TEST(the_help_has_the_commands)
{
	CHILD_SAYS(begin_with_cmds(); START("-h"));
	EXPECT(strstr(bed_said, "Usage: prog [DOCA Flags] [Program Flags] <Command>\n"));
	EXPECT_STR(strstr(bed_said, "\nCommands:"),
		   "\nCommands:\n"
		   "  get                               Get things\n"
		   "  set                               Set things\n");
}

TEST(a_command_has_help_of_its_own)
{
	CHILD_SAYS(begin_with_cmds(); START("get", "-h"));
	EXPECT_STR(bed_said, "Usage: prog [DOCA Flags] [Program Flags] get "
			     "[Command Flags] <Command>\n" DOCA_FLAGS "\n"
			     "Program Flags:\n"
			     "  -i, --inherited                   Everywhere\n"
			     "\n"
			     "Command Flags:\n"
			     "  -k, --kind <kind>                 Kind of thing\n"
			     "\n"
			     "Commands:\n"
			     "  one                               Get one thing\n");
	CHILD_SAYS(begin_with_cmds(); START("get", "one", "-h"));
	EXPECT_STR(bed_said, "Usage: prog [DOCA Flags] [Program Flags] get one "
			     "[Command Flags]\n" DOCA_FLAGS "\n"
			     "Program Flags:\n"
			     "  -i, --inherited                   Everywhere\n"
			     "\n"
			     "Inherited Flags:\n"
			     "  -k, --kind <kind>                 Kind of thing\n"
			     "\n"
			     "Command Flags:\n"
			     "  -n, --number                      Which one\n");
}

static doca_error_t say_version(void *value, void *config)
{
	printf("own %d\n", *(bool *)value);
	EXPECT(config == &bed_config);
	return DOCA_SUCCESS;
}

TEST(the_version_ends_the_program)
{
	char wanted[64];

	CHILD_SAYS(begin(); START("-v"));
	snprintf(wanted, sizeof(wanted), "prog, DOCA %s\n", doca_version_runtime());
	EXPECT_STR(bed_said, wanted);
	CHILD_SAYS(begin(); doca_argp_register_version_callback(say_version); START("--version"));
	EXPECT_STR(bed_said, "own 1\n");
}

static doca_error_t fail_version(void *value, void *config)
{
	(void)value;
	(void)config;
	return DOCA_ERROR_NOT_FOUND;
}

TEST(a_version_that_fails_is_an_error)
{
	begin();
	OK(doca_argp_register_version_callback(fail_version));
	ERR(START("-v"), NOT_FOUND);
	end();
}

static char dpdk_args[256];
static doca_error_t dpdk_answer;

static doca_error_t init_dpdk(int argc, char **argv)
{
	EXPECT(!argv[argc]);
	dpdk_args[0] = '\0';
	for (int i = 0; i < argc; i++) {
		strcat(dpdk_args, argv[i]);
		strcat(dpdk_args, " ");
		argv[i] = NULL; /* DPDK may do that */
	}
	bed_took[0] = '\0'; /* DPDK is called first */
	return dpdk_answer;
}

static void begin_with_dpdk(void)
{
	begin();
	dpdk_answer = DOCA_SUCCESS;
	strcpy(dpdk_args, "not called");
	doca_argp_set_dpdk_program(init_dpdk);
	OK(FLAG("a", "alpha", take_a, TEXT));
}

TEST(what_is_before_two_dashes_is_for_dpdk)
{
	begin_with_dpdk();
	OK(START("-a", "03:00.0", "-l", "0-3", "--", "-a", "x", "-l", "60"));
	EXPECT_STR(dpdk_args, "argv0 -a 03:00.0 -l 0-3 ");
	EXPECT_STR(took(), "a=x ");
	EXPECT_EQ(doca_log_level_get_global_lower_limit(), 60);
	end();

	begin_with_dpdk();
	OK(START("-c", "3"));
	EXPECT_STR(dpdk_args, "argv0 -c 3 ");
	end();

	begin_with_dpdk();
	OK(START());
	EXPECT_STR(dpdk_args, "argv0 ");
	end();

	begin_with_dpdk();
	doca_argp_set_dpdk_program(NULL);
	OK(START("-a", "x"));
	EXPECT_STR(dpdk_args, "not called");
	end();
}

TEST(the_help_has_dpdk)
{
	const char *usage = "Usage: prog [DPDK Flags] -- [DOCA Flags] [Program Flags]\n";

	CHILD_SAYS(begin_with_dpdk(); START("-h"));
	EXPECT(!strncmp(bed_said, usage, strlen(usage)));
	CHILD_SAYS(begin_with_dpdk(); START("-c", "3", "--", "-h"));
	EXPECT(!strncmp(bed_said, usage, strlen(usage)));
}

TEST(dpdk_that_fails_ends_the_parsing)
{
	begin_with_dpdk();
	dpdk_answer = DOCA_ERROR_DRIVER;
	EXPECT_FAILED(START("--", "-a", "x"), DOCA_ERROR_DRIVER,
		      "could not start DPDK: driver failed");
	EXPECT_STR(took(), "");
	end();
}

static char *file(const char *json)
{
	static char path[] = "/tmp/doca-argp-XXXXXX";
	FILE *f;

	if (strstr(path, "XXXXXX"))
		close(mkstemp(path));
	f = fopen(path, "w");
	fprintf(f, "{\"doca_dpdk_flags\": %s }", json);
	fclose(f);
	return path;
}

TEST(the_file_has_flags_for_dpdk)
{
	begin_with_dpdk();
	OK(START("--json", file("{ \"devices\": [\n"
				"{\"device\": \"pf\", \"id\": \"0000:03:00.0\"},\n"
				"{\"device\": \"sf\", \"id\": \"4\", \"hws\": true},\n"
				"{\"device\": \"vf\", \"id\": \"b1:00.3\", "
				"\"sft\": true, \"hws\": false}],\n"
				"\"core-mask\": \"0xff\", \"core-list\": \"0-4\",\n"
				"\"flags\": \" --in-memory  -n 2 \" }")));
	EXPECT_STR(dpdk_args, "argv0 -a 0000:03:00.0 "
			      "-a auxiliary:mlx5_core.sf.4,dv_flow_en=2 "
			      "-a b1:00.3,sft_en=1 -c 0xff -l 0-4 "
			      "--in-memory -n 2 ");
	end();

	begin_with_dpdk();
	OK(START("-j", file("{ \"core-mask\": 3 }")));
	EXPECT_STR(dpdk_args, "argv0 -c 0x3 ");
	end();

	begin_with_dpdk();
	OK(START("-c", "3", "--", "-a", "x"));
	EXPECT_STR(dpdk_args, "argv0 -c 3 ");
	end();
}

#define WRONG(json, code, words)                                                   \
	do {                                                                       \
		begin_with_dpdk();                                                 \
		EXPECT_REFUSED(START("-j", file(json)), DOCA_ERROR_##code, words); \
		EXPECT_STR(dpdk_args, "not called");                               \
		end();                                                             \
	} while (0)

TEST(flags_for_dpdk_are_checked)
{
	WRONG("{\"other\":1}", NOT_SUPPORTED, "there is no 'other'");
	WRONG("{\"devices\":{}}", INVALID_VALUE, "must be an array");
	WRONG("{\"devices\":[1]}", INVALID_VALUE, "a device needs 'device' and 'id'");
	WRONG("{\"devices\":[{\"device\":\"pf\"}]}", INVALID_VALUE,
	      "a device needs 'device' and 'id'");
	WRONG("{\"devices\":[{\"device\":\"tape\",\"id\":\"0\"}]}", INVALID_VALUE,
	      "of kind pf, vf, sf or gpu");
	WRONG("{\"core-mask\":true}", INVALID_VALUE, "core-mask");
	WRONG("{\"core-list\":4}", INVALID_VALUE, "core-list");
	WRONG("{\"core-list\":\"4\\u0000,5\"}", INVALID_VALUE, "core-list");
	WRONG("{\"core-mask\":\"4\\u00005\"}", INVALID_VALUE, "core-mask");
	WRONG("{\"flags\":\"-a\\u0000-b\"}", INVALID_VALUE, "flags");
	WRONG("{\"devices\":[{\"device\":\"pf\",\"id\":\"0\\u00001\"}]}", INVALID_VALUE,
	      "which are strings");
	WRONG("{\"flags\":[]}", INVALID_VALUE, "flags must be");
	begin_with_dpdk();
	REFUSED(INVALID_VALUE, "there are flags for DPDK on the command line, too", "-c", "3", "--",
		"-j", file("{\"flags\":\"\"}"));
	unlink(file("{}"));
}
