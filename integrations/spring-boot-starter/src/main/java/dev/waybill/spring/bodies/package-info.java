/** Objects as bodies: the service's Jackson mapper, the names of types, and events that are appended. */
@NullMarked
package dev.waybill.spring.bodies;

import org.jspecify.annotations.NullMarked;
