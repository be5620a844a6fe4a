; Functions that do not depend on the game, in LLVM's language. `glue.py` puts numbers in place of the words in
; capitals; `game` and the blocks of memory are defined there.

@heap_top = internal global i32 0

declare i64 @llvm.umin.i64(i64, i64)

; Play the games of some deals, until one of them fails; return the number of games that ended.
define i32 @play(i32 %first, i32 %deals) {
entry:
  %rotations = load i64, ptr getelementptr (i8, ptr @setup, i64 16)
  %first.deal = sext i32 %first to i64
  %all.deals = zext i32 %deals to i64
  %wanted = mul i64 %all.deals, %rotations
  %games = call i64 @llvm.umin.i64(i64 %wanted, i64 CAPACITY)
  br label %loop
loop:
  %game = phi i64 [ 0, %entry ], [ %next, %begin ]
  %more = icmp ult i64 %game, %games
  br i1 %more, label %begin, label %stop
begin:
  %nth = udiv i64 %game, %rotations
  %shift = urem i64 %game, %rotations
  %deal = add i64 %first.deal, %nth
  %state = getelementptr %record, ptr @states, i64 %game
  %ended = call i1 @game(i64 %deal, i64 %shift, ptr %state, i64 0)
  %next = add i64 %game, 1
  br i1 %ended, label %loop, label %stop
stop:
  %played = trunc i64 %game to i32
  ret i32 %played
}

; Hand out memory for an array, behind a header with the address of its data. All that a strategy allocates is
; given up when the next one is asked.
define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %top = load i32, ptr @heap_top
  %room = trunc i64 %size to i32
  %padded = add i32 %room, 127
  %rounded = and i32 %padded, -64
  %next = add i32 %top, %rounded
  %is.large = icmp ugt i64 %size, HEAP_SIZE
  %is.full = icmp ugt i32 %next, HEAP_SIZE
  %fails = or i1 %is.large, %is.full
  br i1 %fails, label %full, label %fits
full:
  ret ptr null
fits:
  store i32 %next, ptr @heap_top
  %header = getelementptr i8, ptr @heap, i32 %top
  %data = getelementptr i8, ptr %header, i32 64
  %address = getelementptr i8, ptr %header, i32 24
  store ptr %data, ptr %address
  ret ptr %header
}

; Write the strides of an array in another shape, from the last axis to the first; return whether there are such
; strides. Numba calls this for contiguous arrays only; one that is stored by columns is refused.
define i32 @numba_attempt_nocopy_reshape(i64 %axes, ptr %shape, ptr %strides, i64 %new.axes, ptr %new.shape, ptr %new.strides, i64 %itemsize, i32 %order) {
entry:
  %last.axis = sub i64 %axes, 1
  %last.place = getelementptr i64, ptr %strides, i64 %last.axis
  %last = load i64, ptr %last.place
  %by.columns = icmp ugt i64 %last, %itemsize
  br i1 %by.columns, label %refuse, label %loop
loop:
  %left = phi i64 [ %new.axes, %entry ], [ %axis, %next ]
  %stride = phi i64 [ %itemsize, %entry ], [ %wider, %next ]
  %is.done = icmp eq i64 %left, 0
  br i1 %is.done, label %done, label %next
next:
  %axis = sub i64 %left, 1
  %place = getelementptr i64, ptr %new.strides, i64 %axis
  store i64 %stride, ptr %place
  %length.place = getelementptr i64, ptr %new.shape, i64 %axis
  %length = load i64, ptr %length.place
  %wider = mul i64 %stride, %length
  br label %loop
done:
  ret i32 1
refuse:
  ret i32 0
}

; Multiply two numbers of 128 bits. LLVM calls this where a product may overflow, and would make of this very
; function a call of itself if it optimised it.
define void @__multi3(ptr %product, i64 %a, i64 %a.high, i64 %b, i64 %b.high) noinline optnone {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %low = mul i64 %a0, %b0
  %low.carry = lshr i64 %low, 32
  %cross.1 = mul i64 %a1, %b0
  %middle = add i64 %cross.1, %low.carry
  %middle.low = and i64 %middle, 4294967295
  %middle.high = lshr i64 %middle, 32
  %cross.2 = mul i64 %a0, %b1
  %upper = add i64 %cross.2, %middle.low
  %upper.carry = lshr i64 %upper, 32
  %top = mul i64 %a1, %b1
  %high.1 = add i64 %top, %middle.high
  %high.2 = add i64 %high.1, %upper.carry
  %mixed.1 = mul i64 %a, %b.high
  %mixed.2 = mul i64 %a.high, %b
  %high.3 = add i64 %high.2, %mixed.1
  %high = add i64 %high.3, %mixed.2
  %whole = mul i64 %a, %b
  %second = getelementptr i8, ptr %product, i32 8
  store i64 %whole, ptr %product
  store i64 %high, ptr %second
  ret void
}

; The first step of calling a strategy that is plain Python, which no strategy is.
define void @numba_gil_ensure(ptr %state) {
  unreachable
}
