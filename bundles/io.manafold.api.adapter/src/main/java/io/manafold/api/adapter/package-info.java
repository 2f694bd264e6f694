/** The software adapter as its administrator sees it. */
@Export
@Version("1.10.0")
package io.manafold.api.adapter;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
