/** Topologies by name: what a lab file says becomes configurations, and back. */
@Export
@Version("1.1.0")
package io.manafold.api.lab;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
