/** What the process writes to its log, and how. */
@NullMarked
package dev.waybill.standalone.log;

import org.jspecify.annotations.NullMarked;
