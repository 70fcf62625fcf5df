/**
 * The contract of a {@link dev.waybill.relay.Publisher} as tests: extend {@link PublisherContract}, and say by a {@link
 * PublisherSetup} how to make the publisher and how to disturb its broker.
 */
@NullMarked
package dev.waybill.test.publisher;

import org.jspecify.annotations.NullMarked;
