/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_argp.h
 * @brief Arguments of a program: flags and commands, from the command line and
 * from a JSON file, with the help that belongs to them.
 *
 * A program describes its flags, starts the parser, and gets each value by a
 * callback:
 *
 *     doca_argp_init("doca_copy", &config);
 *     doca_argp_param_create(&param);
 *     doca_argp_param_set_short_name(param, "p");
 *     doca_argp_param_set_long_name(param, "pci-addr");
 *     doca_argp_param_set_arguments(param, "<addr>");
 *     doca_argp_param_set_description(param, "PCI address of the device");
 *     doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
 *     doca_argp_param_set_callback(param, set_pci_addr);
 *     doca_argp_register_param(param);
 *     result = doca_argp_start(argc, argv);
 *     ...
 *     doca_argp_destroy();
 *
 * Every program has the DOCA flags as well: -h, --help; -v, --version; -l,
 * --log-level, which sets doca_log_level_set_global_lower_limit();
 * --sdk-log-level, which sets doca_log_level_set_global_sdk_limit(); and -j,
 * --json. Levels are the numbers of enum doca_log_level, 10 to 70. Help and
 * version are printed as soon as they are met, and end the program with
 * success.
 *
 * A flag is an argument of its own, and so is its value: -p 03:00.0. Names are
 * matched as a whole, so that short ones may have several letters; --pci-addr=
 * with the value behind it is understood, too. A flag of type boolean has no
 * value.
 *
 * The JSON file is an object with the members "doca_general_flags" (for the
 * log levels), "doca_program_flags" and, for programs that use DPDK,
 * "doca_dpdk_flags". In the first two a flag is named by its long name. Values
 * have the JSON type that belongs to the type of the flag; an array of them
 * stands for a flag that is given repeatedly. Comments, as in C, are allowed. A
 * flag that is given on the command line, too, is taken from there alone.
 *
 * Callbacks are called in the order of the JSON file, then of the command line,
 * once all of both has been understood. Then it is checked that the mandatory
 * flags were there, and the validation callback is called.
 *
 * Thread safety: there is one parser in a process; one thread uses it at a
 * time.
 */
#ifndef DOCA_ARGP_H
#define DOCA_ARGP_H

#include <stdarg.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_log.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A flag. It is opaque. */
struct doca_argp_param;
/** A command: a word that selects what a program does. It is opaque. */
struct doca_argp_cmd;

/**
 * @brief Type of a flag's value, and the value for its callback.
 * @since DOCA 2.5
 */
enum doca_argp_type {
	/** none; a flag cannot be registered with it */
	DOCA_ARGP_TYPE_UNKNOWN = 0,
	/** text: a char *, which stays until doca_argp_destroy() at least */
	DOCA_ARGP_TYPE_STRING,
	/** a number, decimal or hexadecimal with 0x: an int * */
	DOCA_ARGP_TYPE_INT,
	/** a switch without a value: a bool *, false only from a JSON file */
	DOCA_ARGP_TYPE_BOOLEAN,
	/**
	 * an object, in a JSON file only: a struct json_object * of json-c,
	 * which stays until doca_argp_destroy()
	 */
	DOCA_ARGP_TYPE_JSON_OBJ,
};

/**
 * @brief Takes the value of a flag.
 *
 * @param[in] param   The value, as enum doca_argp_type says.
 * @param[in] config  What was given to doca_argp_init().
 *
 * @return DOCA_SUCCESS; anything else ends the parsing and is returned by
 * doca_argp_start().
 * @since DOCA 2.5
 */
typedef doca_error_t (*doca_argp_param_cb_t)(void *param, void *config);

/**
 * @brief Called when a command was given.
 *
 * @param[in] config  What was given to doca_argp_init().
 *
 * @return DOCA_SUCCESS; anything else ends the parsing and is returned by
 * doca_argp_start().
 * @since DOCA 3.0
 */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *config);

/**
 * @brief Checks the values together, when all have been taken.
 *
 * @param[in] config  What was given to doca_argp_init().
 *
 * @return DOCA_SUCCESS; anything else is returned by doca_argp_start().
 * @since DOCA 2.5
 */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *config);

/**
 * @brief Takes the arguments that are for DPDK, usually for rte_eal_init().
 *
 * @param[in] argc  Number of arguments, with the program's name.
 * @param[in] argv  The arguments; with a NULL behind them. They stay until
 *                  doca_argp_destroy().
 *
 * @return DOCA_SUCCESS; anything else ends the parsing and is returned by
 * doca_argp_start().
 * @since DOCA 2.5
 */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);

/**
 * @brief Takes a message of the parser.
 *
 * @param[in] level   How severe it is.
 * @param[in] format  Text as for vprintf(), without a newline.
 * @param[in] args    Its arguments.
 *
 * @return Is ignored.
 * @since DOCA 3.0
 */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level,
					      const char *format, va_list args);

/**
 * @brief Begin to describe the arguments of the program.
 *
 * @param[in] program_name    Name for the help; it is copied. NULL for argv[0].
 * @param[in] program_config  Passed to all callbacks; may be NULL.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_BAD_STATE  It was called before; doca_argp_destroy() comes
 *                               first.
 * @retval DOCA_ERROR_NO_MEMORY  No memory.
 *
 * @since DOCA 2.5; a name of NULL DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_init(const char *program_name, void *program_config);

/**
 * @brief End the parser, and free all flags and commands that were created.
 *
 * It may be called in every state after doca_argp_init(), also when something
 * has failed, but not from a callback.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_BAD_STATE  doca_argp_init() was not called, or the parser
 *                               is in a callback.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_destroy(void);

/**
 * @brief Parse the arguments, and call the callbacks.
 *
 * Errors are logged and, if the arguments are to blame, followed by
 * the help on stderr. The parser can be started once.
 *
 * @param[in] argc  Number of arguments, with the program's name; at least 1.
 * @param[in] argv  The arguments of main(); they must stay until
 *                  doca_argp_destroy().
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  An argument of this function is not valid;
 *         or a value is missing, or not of its type, or no log level; a flag is
 *         given repeatedly and may not be, or together with one that must be
 *         alone; a mandatory one is missing; or the JSON file has an error.
 * @retval DOCA_ERROR_NOT_SUPPORTED  The program does not have such a flag or
 *         command, or not where it was given.
 * @retval DOCA_ERROR_IO_FAILED      The JSON file cannot be read.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or the
 *         parser was started before.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 * @return Or what a callback returned.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_start(int argc, char **argv);

/**
 * @brief Print the help to stdout: the command's, if one has been given.
 *
 * Without doca_argp_init() nothing is printed.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_usage(void);

/**
 * @brief Say that the program uses DPDK.
 *
 * Arguments before a "--" on the command line are DPDK's then, and those behind
 * it the program's. Without a "--" all are DPDK's, unless the first argument is
 * -h, --help, -v, --version, -j or --json. With a JSON file that has
 * "doca_dpdk_flags", the arguments are made from it, and none may be given on
 * the command line. The members of "doca_dpdk_flags" are "devices", an array of
 * objects with "device" ("pf", "vf", "sf" or "gpu"), "id" (PCI address, or
 * number of an sf) and optionally "sft" and "hws" (boolean); "core-mask" (text
 * or a number), "core-list" (text), and "flags", text with any others.
 *
 * @param[in] callback  Called before the callbacks of flags; NULL if the program
 *                      does not use DPDK after all.
 *
 * Without doca_argp_init(), and when the parser has been started, nothing
 * happens.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);

/**
 * @brief The level that --log-level has set, or the one that was there.
 *
 * @param[out] log_level  Value of enum doca_log_level. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p log_level is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The parser has not been started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_log_level(int *log_level);

/**
 * @brief The level that --sdk-log-level has set, or the one that was there.
 *
 * @param[out] log_level  Value of enum doca_log_level. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p log_level is NULL.
 * @retval DOCA_ERROR_BAD_STATE      The parser has not been started.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_sdk_log_level(int *log_level);

/**
 * @brief Set the function of --version.
 *
 * Without it the name of the program and the version of the libraries are
 * printed.
 *
 * @param[in] callback  Called with a bool * and the program's configuration.
 *                      When it succeeds, the program ends with success.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p callback is NULL.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or the
 *                                   parser has been started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);

/**
 * @brief Set the function that checks the values together. The last one set is
 * called.
 *
 * @param[in] callback  Called when all values have been taken.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p callback is NULL.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or the
 *                                   parser has been started.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);

/**
 * @brief Give the messages of the parser to a function, not to the log.
 *
 * @param[in] callback  Takes the messages.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p callback is NULL.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);

/**
 * @brief Give the messages of the parser to the log again.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_BAD_STATE  doca_argp_init() was not called, or no callback
 *                               is registered.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_logger_callback(void);

/**
 * @name Flags
 *
 * A flag is described between its creation and its registration. The functions
 * that do so copy what they are given. They do nothing, and log it, with NULL
 * for the flag and when it has been registered; where memory is short, the
 * registration fails.
 * @{
 */

/**
 * @brief Create a flag.
 *
 * @param[out] param  The flag. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p param is NULL.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or the
 *                                   parser has been started.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_create(struct doca_argp_param **param);

/**
 * @brief Destroy a flag that is not to be registered.
 *
 * @param[in] param  The flag.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p param is no flag.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or its
 *         registration was tried: doca_argp_destroy() frees it then.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);

/**
 * @brief Set the short name, which is used with one dash.
 *
 * @param[in] param  The flag.
 * @param[in] name   Name without the dash, of one or more letters; NULL for
 *                   none.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_short_name(struct doca_argp_param *param,
				    const char *name);

/**
 * @brief Set the long name, which is used with two dashes and in JSON files.
 *
 * @param[in] param  The flag.
 * @param[in] name   Name without the dashes; NULL for none.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_long_name(struct doca_argp_param *param,
				   const char *name);

/**
 * @brief Set the help's text for the value.
 *
 * @param[in] param      The flag.
 * @param[in] arguments  Text such as "<path>"; NULL for none.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_arguments(struct doca_argp_param *param,
				   const char *arguments);

/**
 * @brief Set the help's description of the flag. Every flag must have one.
 *
 * @param[in] param        The flag.
 * @param[in] description  Text.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_description(struct doca_argp_param *param,
				     const char *description);

/**
 * @brief Set the function that takes the value. Every flag must have one.
 *
 * @param[in] param     The flag.
 * @param[in] callback  Called once for each value.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_callback(struct doca_argp_param *param,
				  doca_argp_param_cb_t callback);

/**
 * @brief Set the type of the value. Every flag must have it.
 *
 * @param[in] param  The flag.
 * @param[in] type   Type, not DOCA_ARGP_TYPE_UNKNOWN.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_type(struct doca_argp_param *param,
			      enum doca_argp_type type);

/**
 * @brief The flag must be given.
 *
 * @param[in] param  The flag. If it belongs to a command, it must be given with
 *                   that command.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_mandatory(struct doca_argp_param *param);

/**
 * @brief The flag may not be in a JSON file.
 *
 * @param[in] param  The flag.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_cli_only(struct doca_argp_param *param);

/**
 * @brief The flag may be given repeatedly. Otherwise it may be given once.
 *
 * @param[in] param  The flag.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_multiplicity(struct doca_argp_param *param);

/**
 * @brief The flag, if given, is the only one of the program's.
 *
 * Flags that are mandatory may be missing then, and DOCA flags may be there.
 *
 * @param[in] param  The flag.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_singular(struct doca_argp_param *param);

/**
 * @brief The flag may be given with the commands below it as well.
 *
 * @param[in] param  The flag, of the program or of a command that has commands.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_inherited(struct doca_argp_param *param);

/**
 * @brief The flag is not in the help.
 *
 * @param[in] param  The flag. It needs no description.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_hidden(struct doca_argp_param *param);

/**
 * @brief Add a flag to the program.
 *
 * @param[in] input_param  The flag. It belongs to the parser from now on, also
 *                         if this fails.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  It is no flag, or lacks a name, description,
 *         callback or type, or a name is empty, begins with a dash, or has a
 *         blank or "=" in it.
 * @retval DOCA_ERROR_ALREADY_EXIST  A name is taken, by a DOCA flag or another
 *         flag of the program.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, its
 *         registration was tried before, or the parser has been started.
 * @retval DOCA_ERROR_NO_MEMORY      There was no memory for its description.
 *
 * @since DOCA 2.5
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);

/** @} */

/**
 * @name Commands
 *
 * A command is a word on the command line, before its own flags. A command may
 * have commands of its own. What is said about the description of flags applies
 * to commands as well.
 * @{
 */

/**
 * @brief Create a command.
 *
 * @param[out] cmd  The command. Set on success only.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cmd is NULL.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or the
 *                                   parser has been started.
 * @retval DOCA_ERROR_NO_MEMORY      No memory.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);

/**
 * @brief Destroy a command that is not to be registered.
 *
 * Flags and commands that were registered with it are freed by
 * doca_argp_destroy().
 *
 * @param[in] cmd  The command.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cmd is no command.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, or its
 *         registration was tried: doca_argp_destroy() frees it then.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);

/**
 * @brief Set the word that is the command. Every command must have it.
 *
 * @param[in] cmd   The command.
 * @param[in] name  Name.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);

/**
 * @brief Set the help's description of the command. Every command must have
 * one.
 *
 * @param[in] cmd          The command.
 * @param[in] description  Text.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd,
				   const char *description);

/**
 * @brief Set the function that is called when the command is given.
 *
 * Commands are called before flags, the outer before the inner one.
 *
 * @param[in] cmd       The command.
 * @param[in] callback  The callback; NULL for none.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd,
				doca_argp_cmd_cb_t callback);

/**
 * @brief The command is not in the help.
 *
 * @param[in] cmd  The command. It needs no description.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);

/**
 * @brief Add a flag to a command.
 *
 * @param[in] cmd          The command, registered or not.
 * @param[in] input_param  The flag. It belongs to the parser from now on, also
 *                         if this fails.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  @p cmd is no command, or as with
 *         doca_argp_register_param().
 * @retval DOCA_ERROR_ALREADY_EXIST  A name is taken, by a DOCA flag or another
 *         flag of the command.
 * @retval DOCA_ERROR_BAD_STATE      As with doca_argp_register_param().
 * @retval DOCA_ERROR_NO_MEMORY      As with doca_argp_register_param().
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
					  struct doca_argp_param *input_param);

/**
 * @brief Add a command to a command.
 *
 * @param[in] cmd        The outer command, registered or not.
 * @param[in] input_cmd  The inner one. It belongs to the parser from now on,
 *                       also if this fails.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  One is no command; or @p input_cmd is @p cmd
 *         or around it, or lacks a name or description, or its name is as none
 *         may be.
 * @retval DOCA_ERROR_ALREADY_EXIST  The name is taken by another command there.
 * @retval DOCA_ERROR_BAD_STATE      doca_argp_init() was not called, the
 *         registration of @p input_cmd was tried before, or the parser has been
 *         started.
 * @retval DOCA_ERROR_NO_MEMORY      There was no memory for its description.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd,
					struct doca_argp_cmd *input_cmd);

/**
 * @brief Add a command to the program.
 *
 * @param[in] input_cmd  The command. It belongs to the parser from now on, also
 *                       if this fails.
 *
 * @retval DOCA_SUCCESS
 * @retval DOCA_ERROR_INVALID_VALUE  As with doca_argp_cmd_register_cmd().
 * @retval DOCA_ERROR_ALREADY_EXIST  As there.
 * @retval DOCA_ERROR_BAD_STATE      As there.
 * @retval DOCA_ERROR_NO_MEMORY      As there.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd);

/** @} */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ARGP_H */
