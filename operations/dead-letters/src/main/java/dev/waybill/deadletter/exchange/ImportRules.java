package dev.waybill.deadletter.exchange;

import dev.waybill.deadletter.DeadLetter.BodyKind;
import dev.waybill.deadletter.ReceivedDeadLetter;
import dev.waybill.deadletter.store.DeadLetterJson;
import dev.waybill.deadletter.store.StorableValues;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import dev.waybill.message.WireContract;
import org.jspecify.annotations.Nullable;

/** Limits of values in a line. Lines of an export pass most of them: what was collected once can be imported. */
final class ImportRules {
    private ImportRules() {}

    static ReceivedDeadLetter checked(ReceivedDeadLetter letter) {
        MessageContent content = letter.content();
        require(
                StorableValues.isTimeToLive(content.timeToLive()),
                "The member 'timeToLiveMillis' is not a number from 1 to 4294967295");
        require(letter.origin().deliveries() >= 0, "The member 'deliveries' is negative");
        require(
                letter.bodyKind() != BodyKind.TEXT || StorableValues.isUtf8(content.body()),
                "The member 'bodyKind' is text, and the body is no UTF-8");
        @Nullable String broken = SendRules.ofContentType(content.contentType());
        require(broken == null, "The message '" + content.messageId() + "' " + broken);
        if (DeadLetterJson.exportedKey(letter) == null) {
            checkStrangers(content);
        }
        return letter;
    }

    private static void checkStrangers(MessageContent content) {
        @Nullable String broken = SendRules.violation(content);
        require(broken == null, "The message '" + content.messageId() + "' " + broken);
        require(
                content.properties().keySet().stream().noneMatch(WireContract::isReserved)
                        || content.messageId().equals(content.properties().get(WireContract.LOGICAL_ID)),
                "The properties that begin with " + WireContract.RESERVED_PREFIX + " are those of another message: '"
                        + WireContract.LOGICAL_ID + "' is not the member 'id'");
        @Nullable Object claim = content.properties().get(WireContract.CLAIM);
        require(claim == null || StorableValues.isUuid(claim), "The property '" + WireContract.CLAIM + "' is no UUID");
        @Nullable Object redrives = content.properties().get(WireContract.REDRIVE_COUNT);
        require(
                redrives == null || isCount(redrives),
                "The property '" + WireContract.REDRIVE_COUNT + "' is not a whole number from 0 on");
    }

    private static boolean isCount(Object value) {
        return value instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE;
    }

    private static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
