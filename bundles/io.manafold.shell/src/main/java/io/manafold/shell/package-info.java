/** What all commands share: words, tables, JSON, help, completion, exit status. */
@Export
@Version("2.4.0")
package io.manafold.shell;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
