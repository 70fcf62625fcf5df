/** JSON bodies as objects, for applications with Jackson on the class path. Only this package needs Jackson. */
@NullMarked
package dev.waybill.inbox.json;

import org.jspecify.annotations.NullMarked;
