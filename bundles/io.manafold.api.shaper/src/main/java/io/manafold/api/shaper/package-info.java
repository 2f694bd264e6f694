/** Limits on what network devices send. */
@Export
@Version("1.1.0")
package io.manafold.api.shaper;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
