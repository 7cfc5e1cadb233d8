"""Outlines that are expected of languages that are compiled, and their like."""

from tests.chunking.code.expected import Expected

COMPILED: dict[str, Expected] = {
    "c": (
        """\
#include <stdio.h>
#define MARK
#define SIZE 3
#define TWICE(x) ((x) + (x))
typedef struct pair { int a; } pair_t;
typedef int (*callback)(int);
struct node { int n; };
enum { LOW = 1, HIGH };
static const int limit = 3;
extern int proto(int a);
#ifdef X
static int *
first(int n)
{
  int local = 1;
  return 0;
}
#endif
struct node *find(struct node *of) { return of; }
""",
        [
            ("stdio.h", "import", 1),
            ("SIZE", "constant", 3),
            ("TWICE", "function", 4),
            ("pair_t", "class", 5),
            ("callback", "constant", 6),
            ("node", "class", 7),
            ("LOW", "constant", 8),
            ("limit", "constant", 9),
            ("proto", "function", 10),
            ("first", "function", 12),
            ("find", "function", 19),
        ],
    ),
    "cpp": (
        """\
#include <vector>
namespace shop::inner {
template <typename T>
class Cart : public Base<T> {
public:
  explicit Cart(int a) : a_(a) {}
  ~Cart() {}
  virtual void pay() const = 0;
  bool operator==(const Cart& other) { return true; }
  operator bool() const { return true; }
  static const int size = 1;
  using Id = int;
  template <class U> void put(U u) {}
private:
  int a_;
};
}
using std::string;
void Cart::pay() const { auto f = [](int x) { return x; }; }
template <> int shop::Cart<std::pair<int, int>>::total() { return 1; }
int& Cart::operator[](int i) { return i; }
class EXPORT Shown : public Base { void show(); };
typedef struct { int a; } pair;
constexpr int limit = 1;
""",
        [
            ("vector", "import", 1),
            ("shop.inner", "module", 2),
            ("shop.inner.Cart", "class", 3),
            ("shop.inner.Cart.Cart", "method", 6),
            ("shop.inner.Cart.~Cart", "method", 7),
            ("shop.inner.Cart.pay", "method", 8),
            ("shop.inner.Cart.operator==", "method", 9),
            ("shop.inner.Cart.operator bool", "method", 10),
            ("shop.inner.Cart.size", "constant", 11),
            ("shop.inner.Cart.Id", "constant", 12),
            ("shop.inner.Cart.put", "method", 13),
            ("std::string", "import", 18),
            ("Cart.pay", "method", 19),
            ("shop.Cart.total", "method", 20),
            ("Cart.operator[]", "method", 21),
            ("Shown", "class", 22),
            ("Shown.show", "method", 22),
            ("pair", "class", 23),
            ("limit", "constant", 24),
        ],
    ),
    "csharp": (
        """\
using System.Linq;
namespace Shop {
  [Serializable]
  public class Cart<T> : Base where T : class {
    [Key] private const int Size = 1;
    public string Name { get; set; } = "x";
    public int this[int i] => 1;
    public Cart(int a) : base(a) { }
    ~Cart() { }
    [Test] public async Task<int> Total<U>(int a) { int Local() { return 1; } return 1; }
    public static Cart operator +(Cart a, Cart b) => a;
    public event EventHandler Paid;
    enum Kind { A, B }
  }
  record Pair(int A);
  interface IShape { double Area(); }
}
""",
        [
            ("System.Linq", "import", 1),
            ("Shop", "module", 2),
            ("Shop.Cart", "class", 3),
            ("Shop.Cart.Size", "constant", 5),
            ("Shop.Cart.Name", "constant", 6),
            ("Shop.Cart.this", "method", 7),
            ("Shop.Cart.Cart", "method", 8),
            ("Shop.Cart.~Cart", "method", 9),
            ("Shop.Cart.Total", "method", 10),
            ("Shop.Cart.Total.Local", "function", 10),
            ("Shop.Cart.operator +", "method", 11),
            ("Shop.Cart.Paid", "constant", 12),
            ("Shop.Cart.Kind", "class", 13),
            ("Shop.Pair", "class", 15),
            ("Shop.IShape", "class", 16),
            ("Shop.IShape.Area", "method", 16),
        ],
    ),
    "dart": (
        """\
import "a.dart";
part "b.dart";
@immutable
abstract class Cart<T> extends Base {
  static const size = 1;
  final int n;
  Cart(this.n);
  factory Cart.named() => Cart(1);
  @override int total(int a) { void inner() {} return 1; }
  int get count => 1;
  void pay();
  operator ==(o) => true;
}
mixin Paying on Cart { void z() {} }
extension More on int { int y() => 1; }
enum Kind { a, b }
typedef F = int Function();
int top(int a) => 1;
const limit = 1;
final int other = 2;
""",
        [
            ("a.dart", "import", 1),
            ("b.dart", "import", 2),
            ("Cart", "class", 3),
            ("Cart.size", "constant", 5),
            ("Cart.n", "constant", 6),
            ("Cart.Cart", "method", 7),
            ("Cart.Cart.named", "method", 8),
            ("Cart.total", "method", 9),
            ("Cart.total.inner", "function", 9),
            ("Cart.count", "method", 10),
            ("Cart.pay", "method", 11),
            ("Cart.operator ==", "method", 12),
            ("Paying", "class", 14),
            ("Paying.z", "method", 14),
            ("More", "class", 15),
            ("More.y", "method", 15),
            ("Kind", "class", 16),
            ("F", "constant", 17),
            ("top", "function", 18),
            ("limit", "constant", 19),
            ("other", "constant", 20),
        ],
    ),
    "go": (
        """\
package shop

import "fmt"
import (
	"os"
	b "strings"
)

const (
	A = iota
	B
)

var total, other = 1, 2

type Cart struct{ n int }
type (
	Shape interface{ Area() int }
	Id    = int
)

func New(n int) (*Cart, error) { return func() {}, nil }
func (c *Cart) Total() int    { return c.n }
func (c Cart[K]) Pay()        {}
""",
        [
            ("fmt", "import", 3),
            ("", "import", 4),
            ("A", "constant", 10),
            ("B", "constant", 11),
            ("total", "constant", 14),
            ("Cart", "class", 16),
            ("Shape", "class", 18),
            ("Shape.Area", "method", 18),
            ("Id", "constant", 19),
            ("New", "function", 22),
            ("Cart.Total", "method", 23),
            ("Cart.Pay", "method", 24),
        ],
    ),
    "java": (
        """\
package shop;
import java.util.List;
@Entity
public class Cart<T> extends Base {
  private static final int SIZE = 1, OTHER = 2;
  Cart() {}
  @Override public int total() { Runnable r = () -> {}; int local = 1; return 1; }
  enum Kind { A { void own() {} }, B; }
  record Pair(int a) { Pair { } }
  @interface Mark { String value() default ""; }
}
interface Shape { int N = 1; double area(); }
""",
        [
            ("java.util.List", "import", 2),
            ("Cart", "class", 3),
            ("Cart.SIZE", "constant", 5),
            ("Cart.Cart", "method", 6),
            ("Cart.total", "method", 7),
            ("Cart.Kind", "class", 8),
            ("Cart.Kind.own", "method", 8),
            ("Cart.Pair", "class", 9),
            ("Cart.Pair.Pair", "method", 9),
            ("Cart.Mark", "class", 10),
            ("Cart.Mark.value", "method", 10),
            ("Shape", "class", 12),
            ("Shape.N", "constant", 12),
            ("Shape.area", "method", 12),
        ],
    ),
    "kotlin": (
        """\
package shop
import a.b.Thing
@Entity
data class Cart<T>(val n: Int) : Base() {
  companion object {
    const val SIZE = 1
  }
  var total: Int = 1
  @Test override fun pay(a: Int): Int {
    fun inner() {}
    val local = 1
    return 1
  }
}
object Single {
  fun own() = 1
}
interface Shape {
  fun area(): Int
}
fun <T> T.extended(a: Int) = 1
typealias Id = Int
const val LIMIT = 1
""",
        [
            ("a.b.Thing", "import", 2),
            ("Cart", "class", 3),
            ("Cart.Companion", "class", 5),
            ("Cart.Companion.SIZE", "constant", 6),
            ("Cart.total", "constant", 8),
            ("Cart.pay", "method", 9),
            ("Cart.pay.inner", "function", 10),
            ("Single", "class", 15),
            ("Single.own", "method", 16),
            ("Shape", "class", 18),
            ("Shape.area", "method", 19),
            ("extended", "function", 21),
            ("Id", "constant", 22),
            ("LIMIT", "constant", 23),
        ],
    ),
    "rust": (
        """\
use std::{fmt, io};
mod other;
#[derive(Debug)]
// Between.
pub struct Cart<T> { n: T }
enum Kind { A }
pub trait Shape { const N: u8; type Unit; fn area(&self) -> u8; }
impl<T> Shape for Cart<T> where T: Copy {
    fn area(&self) -> u8 { const LOCAL: u8 = 1; fn inner() {} LOCAL }
}
mod tests { #[test] fn works() {} }
static LIMIT: u8 = 1;
type Id = u8;
macro_rules! twice { () => {} }
extern "C" { fn outer(); }
""",
        [
            ("std::{fmt, io}", "import", 1),
            ("other", "import", 2),
            ("Cart", "class", 3),
            ("Kind", "class", 6),
            ("Shape", "class", 7),
            ("Shape.N", "constant", 7),
            ("Shape.Unit", "constant", 7),
            ("Shape.area", "method", 7),
            ("Cart", "class", 8),
            ("Cart.area", "method", 9),
            ("Cart.area.inner", "function", 9),
            ("tests", "module", 11),
            ("tests.works", "function", 11),
            ("LIMIT", "constant", 12),
            ("Id", "constant", 13),
            ("twice", "function", 14),
            ("outer", "function", 15),
        ],
    ),
    "scala": (
        """\
package shop
import a.b.Thing
@Entity
case class Cart[T](n: Int) extends Base {
  val size: Int = 1
  type Id = Int
  def total(a: Int): Int = { def inner() = 1; val local = 2; 2 }
  def pay(): Unit
}
object Cart { def build = 1 }
trait Shape { }
def top(x: Int) = 1
given Order: Ord with
  def compare = 1
package object all { val q = 1 }
""",
        [
            ("a.b.Thing", "import", 2),
            ("Cart", "class", 3),
            ("Cart.size", "constant", 5),
            ("Cart.Id", "constant", 6),
            ("Cart.total", "method", 7),
            ("Cart.total.inner", "function", 7),
            ("Cart.pay", "method", 8),
            ("Cart", "class", 10),
            ("Cart.build", "method", 10),
            ("Shape", "class", 11),
            ("top", "function", 12),
            ("Order", "class", 13),
            ("Order.compare", "method", 14),
            ("all", "class", 15),
            ("all.q", "constant", 15),
        ],
    ),
    "sol": (
        """\
pragma solidity ^0.8.0;
import "a.sol";
contract Cart is Base {
  uint constant SIZE = 1;
  struct Pair { uint a; }
  event Paid(uint a);
  modifier only() { _; }
  constructor(uint a) { }
  function total(uint a) public returns (uint) { }
  receive() external payable { }
}
library Lib { }
function top() {}
""",
        [
            ("a.sol", "import", 2),
            ("Cart", "class", 3),
            ("Cart.SIZE", "constant", 4),
            ("Cart.Pair", "class", 5),
            ("Cart.Paid", "constant", 6),
            ("Cart.only", "method", 7),
            ("Cart.constructor", "method", 8),
            ("Cart.total", "method", 9),
            ("Cart.receive", "method", 10),
            ("Lib", "class", 12),
            ("top", "function", 13),
        ],
    ),
    "swift": (
        """\
import Foundation
@objc public class Cart<T>: Base, Shape where T: Copy {
  static let size = 1
  var total: Int { return 1 }
  init(n: Int) { }
  deinit { }
  @discardableResult func pay(a: Int) -> Int {
    func inner() {}
    let local = 1
    return 1
  }
  subscript(i: Int) -> Int { get { 1 } }
}
enum Kind: Int { case a, b }
extension Cart: Other { func more() {} }
protocol Shape { func area() -> Int }
typealias Id = Int
func top() {}
""",
        [
            ("Foundation", "import", 1),
            ("Cart", "class", 2),
            ("Cart.size", "constant", 3),
            ("Cart.total", "constant", 4),
            ("Cart.init", "method", 5),
            ("Cart.deinit", "method", 6),
            ("Cart.pay", "method", 7),
            ("Cart.pay.inner", "function", 8),
            ("Cart.subscript", "method", 12),
            ("Kind", "class", 14),
            ("Cart", "class", 15),
            ("Cart.more", "method", 15),
            ("Shape", "class", 16),
            ("Shape.area", "method", 16),
            ("Id", "constant", 17),
            ("top", "function", 18),
        ],
    ),
    "zig": (
        """\
const std = @import("std");
pub const limit = 1;
pub const Cart = struct { n: i32, pub fn total(self: Cart) void {} const size = 2; };
pub fn top(a: i32) !void { const local = 1; }
test "adds" { }
pub fn List(comptime T: type) type { return struct { fn put() void {} }; }
""",
        [
            ("std", "import", 1),
            ("limit", "constant", 2),
            ("Cart", "class", 3),
            ("Cart.total", "method", 3),
            ("Cart.size", "constant", 3),
            ("top", "function", 4),
            ("adds", "function", 5),
            ("List", "function", 6),
            ("List.put", "function", 6),
        ],
    ),
}
