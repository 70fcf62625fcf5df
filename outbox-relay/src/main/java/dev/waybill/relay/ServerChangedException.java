package dev.waybill.relay;

import dev.waybill.supervision.OutsideFailure;

/**
 * Something else answers than the server process that the cursors in memory were read on, or it has counted back. They are
 * forgotten and the recorded ones are read again; whether those still fit is looked at then.
 */
final class ServerChangedException extends IllegalStateException implements OutsideFailure {
    private static final long serialVersionUID = 1L;

    ServerChangedException(String reason) {
        super(reason + "; the recorded cursors are read again");
    }
}
