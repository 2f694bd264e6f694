/** Network devices, the packets they carry, and their addresses. */
@Export
@Version("2.9.1")
package io.manafold.api.net;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
