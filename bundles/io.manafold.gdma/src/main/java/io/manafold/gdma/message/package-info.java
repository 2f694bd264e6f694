/** What travels over the hardware channel: requests and responses, to be read and written by either side. */
@Export
@Version("3.1.0")
package io.manafold.gdma.message;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
