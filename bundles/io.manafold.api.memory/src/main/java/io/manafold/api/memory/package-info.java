/** Blocks of memory that functions, queues and sockets share, with every holder counted. */
@Export
@Version("1.0.0")
package io.manafold.api.memory;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
