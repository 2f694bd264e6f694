/** Connection management: the messages by which two ends agree on a reliable connection. */
@Export
@Version("1.1.0")
package io.manafold.roce.cm;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
