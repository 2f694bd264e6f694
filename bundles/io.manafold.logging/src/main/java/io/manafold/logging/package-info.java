/** The lines that were logged last, for bundles that show or keep them. */
@Export
@Version("1.0.0")
package io.manafold.logging;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
