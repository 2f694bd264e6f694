/** DMA memory: blocks, the ranges a function can reach, and the one class that makes pointers. */
@Export
@Version("2.6.0")
package io.manafold.memory;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
