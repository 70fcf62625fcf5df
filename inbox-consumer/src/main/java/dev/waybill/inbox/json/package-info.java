/** JSON bodies as objects, for applications that have Jackson on their class path. Nothing else here needs it. */
@NullMarked
package dev.waybill.inbox.json;

import org.jspecify.annotations.NullMarked;
