/** Reports on how fast devices are: measured, kept, compared. */
@Export
@Version("2.1.0")
package io.manafold.api.qualify;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
