package dev.waybill.servicebus.embedded.message;

/** Finds the sections of an encoded message without decoding them. */
final class SectionScanner {
    static final int HEADER = 0x70;
    static final int DELIVERY_ANNOTATIONS = 0x71;
    static final int MESSAGE_ANNOTATIONS = 0x72;
    static final int PROPERTIES = 0x73;
    static final int APPLICATION_PROPERTIES = 0x74;
    static final int DATA = 0x75;
    static final int FOOTER = 0x78;

    private final byte[] bytes;
    private final int end;
    private int next;
    private int start;
    private int valueStart;
    private int code;

    SectionScanner(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.next = offset;
        this.end = offset + length;
    }

    /** Moves on to the next section; false at the end of the message. */
    boolean advance() {
        if (next == end) {
            return false;
        }
        start = next;
        require(start, 3);
        if (bytes[start] != 0) {
            throw new MalformedMessageException("No section begins at byte " + start);
        }
        code = readDescriptor(start + 1);
        next = valueStart + valueLength(valueStart);
        if (next > end || next < valueStart) {
            throw new MalformedMessageException("A section ends beyond its message");
        }
        return true;
    }

    /** Makes sure that what follows consists of whole sections. */
    void toTheEnd() {
        boolean more = true;
        while (more) {
            more = advance();
        }
    }

    private int readDescriptor(int at) {
        int type = bytes[at] & 0xFF;
        if (type == 0x53) {
            valueStart = at + 2;
            return bytes[at + 1] & 0xFF;
        }
        if (type == 0x80) {
            require(at, 9);
            valueStart = at + 9;
            return bytes[at + 8] & 0xFF;
        }
        throw new MalformedMessageException("A section's descriptor is of type 0x" + Integer.toHexString(type));
    }

    /** Length of an encoded value with its constructor; the high half of a constructor tells the kind of its width. */
    private int valueLength(int at) {
        require(at, 1);
        int constructor = bytes[at] & 0xFF;
        return switch (constructor >> 4) {
            case 0x4 -> 1;
            case 0x5 -> 2;
            case 0x6 -> 3;
            case 0x7 -> 5;
            case 0x8 -> 9;
            case 0x9 -> 17;
            case 0xA, 0xC, 0xE -> 2 + oneByteSize(at + 1);
            case 0xB, 0xD, 0xF -> 5 + fourByteSize(at + 1);
            default ->
                throw new MalformedMessageException("No AMQP type is encoded as 0x" + Integer.toHexString(constructor));
        };
    }

    private int oneByteSize(int at) {
        require(at, 1);
        return bytes[at] & 0xFF;
    }

    private int fourByteSize(int at) {
        require(at, 4);
        int size = (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | (bytes[at + 3] & 0xFF);
        if (size < 0 || size > end - at) {
            throw new MalformedMessageException("A value claims " + Integer.toUnsignedString(size) + " bytes");
        }
        return size;
    }

    private void require(int at, int count) {
        if (at < 0 || end - at < count) {
            throw new MalformedMessageException("The message ends inside a section");
        }
    }

    int code() {
        return code;
    }

    int start() {
        return start;
    }

    int end() {
        return next;
    }

    /** Where the content of a data section's binary begins. */
    int binaryStart() {
        return switch (bytes[valueStart] & 0xFF) {
            case 0xA0 -> valueStart + 2;
            case 0xB0 -> valueStart + 5;
            default -> throw new MalformedMessageException("A data section holds no binary");
        };
    }
}
