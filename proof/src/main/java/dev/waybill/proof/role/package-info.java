/** What the processes of the cast do: the public API of Waybill, as a service would use it. */
@NullMarked
package dev.waybill.proof.role;

import org.jspecify.annotations.NullMarked;
