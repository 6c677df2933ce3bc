/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Exporters of dma-bufs that a machine without hardware may have: vgem, a graphics card
 * without graphics; udmabuf, which makes them from a memfd; and the system's heap.
 */
#ifndef SELFTESTS_DMABUF_H
#define SELFTESTS_DMABUF_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>

/*
 * All return the file descriptor of a dma-buf, or a negative errno: -ENODEV if there is
 * no such exporter, or the driver supports none.
 */
typedef int dmabuf_create_t(size_t size, bool writable);

#ifdef __x86_64__
#define DMABUF_IS_TAKEN true
#else
#define DMABUF_IS_TAKEN false
#endif

static inline int dmabuf_open_vgem(void)
{
	char path[32], name[8];
	int fd, i;

	for (i = 0; i < 16; i++) {
		struct drm_version version = {
			.name = name, .name_len = sizeof(name),
		};

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!ioctl(fd, DRM_IOCTL_VERSION, &version) &&
		    version.name_len == 4 && !memcmp(name, "vgem", 4))
			return fd;
		close(fd);
	}
	return -ENODEV;
}

static inline int dmabuf_vgem(size_t size, bool writable)
{
	struct drm_mode_create_dumb dumb = {
		.width = size, .height = 1, .bpp = 8,
	};
	struct drm_prime_handle prime = {
		.flags = DRM_CLOEXEC | (writable ? DRM_RDWR : 0),
	};
	int card, err = 0;

	if (!DMABUF_IS_TAKEN)
		return -ENODEV;
	card = dmabuf_open_vgem();
	if (card < 0) {
		if (system("modprobe -q vgem"))
			return -ENODEV;
		card = dmabuf_open_vgem();
	}
	if (card < 0)
		return card;
	if (ioctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &dumb))
		err = -errno;
	prime.handle = dumb.handle;
	if (!err && ioctl(card, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
		err = -errno;
	close(card);
	return err ? err : prime.fd;
}

/* udmabuf has no read-only dma-bufs. */
static inline int dmabuf_udmabuf(size_t size, bool writable)
{
	struct udmabuf_create create = {
		.flags = UDMABUF_FLAGS_CLOEXEC, .size = size,
	};
	int node, memfd, fd;

	if (!writable || !DMABUF_IS_TAKEN)
		return -ENODEV;
	node = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	if (node < 0)
		return -ENODEV;
	memfd = memfd_create("dmabuf", MFD_ALLOW_SEALING | MFD_CLOEXEC);
	create.memfd = memfd;
	fd = ftruncate(memfd, size) ||
			     fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) ?
		     -1 :
		     ioctl(node, UDMABUF_CREATE, &create);
	if (fd < 0)
		fd = -errno;
	close(memfd);
	close(node);
	return fd;
}

static inline int dmabuf_heap(size_t size, bool writable)
{
	struct dma_heap_allocation_data data = {
		.len = size,
		.fd_flags = O_CLOEXEC | (writable ? O_RDWR : O_RDONLY),
	};
	int heap, err;

	if (!DMABUF_IS_TAKEN)
		return -ENODEV;
	heap = open("/dev/dma_heap/system", O_RDONLY | O_CLOEXEC);
	if (heap < 0)
		return -ENODEV;
	err = ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &data) ? -errno : 0;
	close(heap);
	return err ? err : (int)data.fd;
}

/* Map it as a program does; NULL on failure. */
static inline void *dmabuf_mmap(int fd, size_t size, bool writable)
{
	void *p = mmap(NULL, size, PROT_READ | (writable ? PROT_WRITE : 0),
		       MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

#endif /* SELFTESTS_DMABUF_H */
