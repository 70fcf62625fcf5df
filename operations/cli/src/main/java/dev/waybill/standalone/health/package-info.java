/** Whether the process lives, has started, and can work; over HTTP and for its own command. */
@NullMarked
package dev.waybill.standalone.health;

import org.jspecify.annotations.NullMarked;
