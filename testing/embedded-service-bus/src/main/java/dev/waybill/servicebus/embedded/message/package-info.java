/**
 * Messages in the broker: the client's bytes with only the envelope decoded.
 *
 * <p>An encoded message is a sequence of sections: header, delivery annotations, message annotations, properties, application
 * properties, body, footer. The broker rewrites the first three for every delivery. It sends the rest byte for byte, unless application
 * properties were changed.
 */
@NullMarked
package dev.waybill.servicebus.embedded.message;

import org.jspecify.annotations.NullMarked;
