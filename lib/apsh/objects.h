/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The types of App Shield's objects, for debug mode. */
#ifndef DOCA_APSH_OBJECTS_H
#define DOCA_APSH_OBJECTS_H

#include <doca_apsh.h>

#include "core/objects.h"

extern const struct object_type apsh_ctx_object;
extern const struct object_type apsh_system_object;
extern const struct object_type apsh_process_object;
extern const struct object_type apsh_container_object;
extern const struct object_type apsh_attestation_object;
extern const struct object_type apsh_injection_detect_object;
extern const struct object_type apsh_thread_object;
extern const struct object_type apsh_netscan_object;
extern const struct object_type apsh_envar_object;
extern const struct object_type apsh_privilege_object;
extern const struct object_type apsh_module_object;
extern const struct object_type apsh_vad_object;
extern const struct object_type apsh_lib_object;
extern const struct object_type apsh_process_parameters_object;
extern const struct object_type apsh_yara_object;
extern const struct object_type apsh_proc_file_details_object;
extern const struct object_type apsh_handle_object;
extern const struct object_type apsh_interface_object;
extern const struct object_type apsh_mount_object;
extern const struct object_type apsh_message_object;
extern const struct object_type apsh_finding_object;

/* An array of any of these. */
extern const struct object_type apsh_array_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES                                                         \
	CORE_OBJECT_TYPES, OBJECT_TYPE(doca_apsh_ctx, apsh_ctx_object),      \
		OBJECT_TYPE(doca_apsh_system, apsh_system_object),           \
		OBJECT_TYPE(doca_apsh_process, apsh_process_object),         \
		OBJECT_TYPE(doca_apsh_container, apsh_container_object),     \
		OBJECT_TYPE(doca_apsh_attestation, apsh_attestation_object), \
		OBJECT_TYPE(doca_apsh_injection_detect,                      \
			    apsh_injection_detect_object),                   \
		OBJECT_TYPE(doca_apsh_thread, apsh_thread_object),           \
		OBJECT_TYPE(doca_apsh_netscan, apsh_netscan_object),         \
		OBJECT_TYPE(doca_apsh_envar, apsh_envar_object),             \
		OBJECT_TYPE(doca_apsh_privilege, apsh_privilege_object),     \
		OBJECT_TYPE(doca_apsh_module, apsh_module_object),           \
		OBJECT_TYPE(doca_apsh_vad, apsh_vad_object),                 \
		OBJECT_TYPE(doca_apsh_lib, apsh_lib_object),                 \
		OBJECT_TYPE(doca_apsh_process_parameters,                    \
			    apsh_process_parameters_object),                 \
		OBJECT_TYPE(doca_apsh_yara, apsh_yara_object),               \
		OBJECT_TYPE(doca_apsh_proc_file_details,                     \
			    apsh_proc_file_details_object),                  \
		OBJECT_TYPE(doca_apsh_handle, apsh_handle_object),           \
		OBJECT_TYPE(doca_apsh_interface, apsh_interface_object),     \
		OBJECT_TYPE(apsh_mount, apsh_mount_object),                  \
		OBJECT_TYPE(apsh_message, apsh_message_object),              \
		OBJECT_TYPE(apsh_finding, apsh_finding_object)

#endif /* DOCA_APSH_OBJECTS_H */
