// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "objects.h"

const struct object_type apsh_ctx_object = { .name = "App Shield context" };
const struct object_type apsh_system_object = { .name = "App Shield system" };
const struct object_type apsh_process_object = { .name = "process" };
const struct object_type apsh_container_object = { .name = "container" };
const struct object_type apsh_attestation_object = { .name = "attestation" };
const struct object_type apsh_injection_detect_object = {
	.name = "suspicious area"
};
const struct object_type apsh_thread_object = { .name = "thread" };
const struct object_type apsh_netscan_object = { .name = "connection" };
const struct object_type apsh_envar_object = { .name = "environment variable" };
const struct object_type apsh_privilege_object = { .name = "privilege" };
const struct object_type apsh_module_object = { .name = "module" };
const struct object_type apsh_vad_object = { .name = "memory area" };
const struct object_type apsh_lib_object = { .name = "library" };
const struct object_type apsh_process_parameters_object = {
	.name = "parameters of a process"
};
const struct object_type apsh_yara_object = { .name = "match of YARA" };
const struct object_type apsh_proc_file_details_object = { .name = "open file" };
const struct object_type apsh_handle_object = { .name = "handle" };
const struct object_type apsh_interface_object = { .name = "network interface" };
const struct object_type apsh_mount_object = { .name = "mount" };
const struct object_type apsh_message_object = { .name = "message" };
const struct object_type apsh_finding_object = { .name = "finding" };
const struct object_type apsh_array_object = { .name = "array of App Shield" };
