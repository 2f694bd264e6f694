/** The hardware contract as code, for both of its sides. */
@Export
@Version("2.4.0")
package io.manafold.gdma;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
