/** What happened when. */
@NullMarked
package dev.waybill.proof.timeline;

import org.jspecify.annotations.NullMarked;
