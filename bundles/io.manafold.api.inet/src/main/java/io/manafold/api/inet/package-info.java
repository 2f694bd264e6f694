/** Hosts above network devices. */
@Export
@Version("1.4.0")
package io.manafold.api.inet;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
