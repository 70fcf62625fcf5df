package dev.waybill.relay;

/** Why a message is held that its process did not survive sending. */
final class DeadlyMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadlyMessageException(OutboxRow row, int takeovers) {
        super("The relay that was about to send " + row + " alone did not live to tell, after its lane had been taken"
                + " over " + takeovers + " times at the same position");
    }
}
