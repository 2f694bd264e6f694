/** What a test tells the drivers it made to do. */
package io.manafold.itests.script;
