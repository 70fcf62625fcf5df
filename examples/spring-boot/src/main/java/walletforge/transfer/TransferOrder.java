package walletforge.transfer;

record TransferOrder(String id, String from, String to, long cents) {}
