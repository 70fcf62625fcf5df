/**
 * Messages as the broker keeps them: the client's bytes, with only the envelope decoded.
 *
 * <p>An encoded message is a row of sections: header, delivery annotations, message annotations, properties, application
 * properties, body, footer. The broker owns the first three and rewrites them for every delivery; everything from the
 * properties on goes out byte for byte as it came in, unless somebody has changed the application properties.
 */
@NullMarked
package dev.waybill.servicebus.embedded.message;

import org.jspecify.annotations.NullMarked;
