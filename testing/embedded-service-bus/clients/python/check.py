"""Checks a broker that runs with ../Config.json: python check.py CONNECTION_STRING [CERTIFICATE]

Clients before 7.12 speak TLS alone: then the broker listens on port 5671, and CERTIFICATE is the file that it has written.
"""

import datetime
import re
import sys

import azure.servicebus
from azure.servicebus import NEXT_AVAILABLE_SESSION, ServiceBusClient, ServiceBusMessage, ServiceBusReceiveMode
from azure.servicebus import ServiceBusSubQueue
from azure.servicebus.exceptions import ServiceBusError, SessionCannotBeLockedError

tls = {"connection_verify": sys.argv[2], "custom_endpoint_address": "sb://localhost:5671"} if len(sys.argv) > 2 else {}
client = ServiceBusClient.from_connection_string(sys.argv[1], retry_total=0, **tls)
NAME = f"Python {azure.servicebus.__version__}"
WAIT = 5


def one(receiver):
    messages = receiver.receive_messages(max_message_count=1, max_wait_time=WAIT)
    assert messages, "no message came"
    return messages[0]


def send(queue, *messages):
    with client.get_queue_sender(queue) as sender:
        sender.send_messages(list(messages))


def quick_start():
    send("orders", ServiceBusMessage("hello"))
    with client.get_queue_receiver("orders") as receiver:
        message = one(receiver)
        assert str(message) == "hello"
        # The broker's own, or, before 7.9, one with dashes of the client's.
        assert re.fullmatch("[0-9a-f]{32}|[0-9a-f-]{36}", message.message_id)
        receiver.complete_message(message)


def settlements():
    send("orders", ServiceBusMessage("a"))
    with client.get_queue_receiver("orders") as receiver:
        receiver.abandon_message(one(receiver))
        again = one(receiver)
        assert again.delivery_count == 1
        receiver.defer_message(again)
        deferred = receiver.receive_deferred_messages(again.sequence_number)[0]
        receiver.dead_letter_message(deferred, reason="no good")
    with client.get_queue_receiver("orders", sub_queue=ServiceBusSubQueue.DEAD_LETTER) as dead:
        letter = one(dead)
        assert letter.dead_letter_reason == "no good"
        dead.complete_message(letter)


def batch_peek_delete():
    with client.get_queue_sender("orders") as sender:
        batch = sender.create_message_batch()
        for i in range(20):
            batch.add_message(ServiceBusMessage(str(i)))
        sender.send_messages(batch)
    mode = ServiceBusReceiveMode.RECEIVE_AND_DELETE
    with client.get_queue_receiver("orders", receive_mode=mode) as receiver:
        assert len(receiver.peek_messages(max_message_count=5)) == 5
        received = 0
        while received < 20:
            some = receiver.receive_messages(max_message_count=20 - received, max_wait_time=WAIT)
            assert some, "fewer messages came than were sent"
            received += len(some)


def schedule():
    with client.get_queue_sender("orders") as sender:
        due = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        numbers = sender.schedule_messages(ServiceBusMessage("later"), due)
        sender.cancel_scheduled_messages(numbers)


def sessions():
    send("wallet-tx", ServiceBusMessage("1", session_id="w1"), ServiceBusMessage("2", session_id="w1"))
    with client.get_queue_receiver("wallet-tx", session_id=NEXT_AVAILABLE_SESSION) as session:
        assert session.session.session_id == "w1"
        session.session.set_state("half way")
        assert session.session.get_state() == b"half way"
        try:
            with client.get_queue_receiver("wallet-tx", session_id="w1"):
                raise AssertionError("the session could be locked twice")
        except SessionCannotBeLockedError:
            pass
        for expected in ("1", "2"):
            message = one(session)
            assert str(message) == expected
            session.complete_message(message)


def no_session_id():
    try:
        send("wallet-tx", ServiceBusMessage("1"))
    except ServiceBusError as error:
        assert "it cannot be sent to the entity" in str(error)
        return
    raise AssertionError("a message without a session id was taken")


def subscriptions():
    with client.get_topic_sender("events") as sender:
        sender.send_messages(ServiceBusMessage("e"))
    mode = ServiceBusReceiveMode.RECEIVE_AND_DELETE
    with client.get_subscription_receiver("events", "all", receive_mode=mode) as receiver:
        assert str(one(receiver)) == "e"


CASES = {
    "quick start: send without an id, receive, complete, close": quick_start,
    "abandon, defer, receive by number, dead-letter": settlements,
    "a batch, peek, receive and delete": batch_peek_delete,
    "schedule and cancel": schedule,
    "sessions: next, state, order, one that is locked": sessions,
    "a message without a session id is refused with the service's words": no_session_id,
    "topics": subscriptions,
}

failed = 0
for name, run in CASES.items():
    try:
        run()
        print(f"| {NAME} | {name} | same |")
    except Exception as error:  # every failure is a line of the table
        failed += 1
        print(f"| {NAME} | {name} | different: {type(error).__name__} {str(error).splitlines()[0] if str(error) else ''} |")
client.close()
sys.exit(1 if failed else 0)
