/** What threads that work in cycles turn: duty cycles. */
@Export
@Version("1.1.0")
package io.manafold.api.agent;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
