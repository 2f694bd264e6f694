/** How anything here says no: an errno that the real stack would give, and a sentence that helps. */
@Export
@Version("1.3.0")
package io.manafold.api.refusal;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
