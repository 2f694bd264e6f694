/** Frames: headers, checksums, segmentation, hashing, capture files. */
@Export
@Version("2.4.0")
package io.manafold.packet;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
