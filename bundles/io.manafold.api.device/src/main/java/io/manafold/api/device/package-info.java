/** Functions, auxiliary devices, drivers, and the core that brings them together. */
@Export
@Version("1.11.1")
package io.manafold.api.device;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
